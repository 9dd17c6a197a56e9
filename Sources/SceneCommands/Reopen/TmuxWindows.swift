import SceneModel
import ScenePlatform

/// The windows of tmux that `scenectl reopen` opens in their former places.
struct TmuxWindows {
  private struct Window: Hashable {
    let server: String
    let session: String
    let index: Int64

    init(_ place: TmuxPlace) {
      server = place.server
      session = place.session
      index = place.window
    }
  }

  private struct Content {
    /// The open panes, in the order of their former indices.
    var panes: [Pane] = []
    /// The former layout with the most panes.
    var layout = ""
    var paneCount: Int64 = 1
    /// Whether this run opened all of its panes.
    var isNew: Bool
    /// Whether this run opened one of its panes.
    var isChanged = false
  }

  private struct Pane {
    let formerIndex: Int64
    /// The target for tmux.
    let identifier: String
  }

  /// The opener for a place. It prints the identifier of the pane.
  struct Opening {
    let opener: Opener
    fileprivate let place: TmuxPlace
    fileprivate let kind: Kind
  }

  fileprivate enum Kind: Equatable {
    /// A pane beside an open one.
    case pane(beside: String)
    case window
    /// A session, whose first window gets the index of the user's settings.
    case session
  }

  private var windows: [Window: Content] = [:]

  /// The servers with windows of this run.
  private(set) var servers: Set<String> = []

  /// A scene is open in this place.
  mutating func note(_ place: TmuxPlace) { add(place, place.identifier, isNew: false) }

  private mutating func add(_ place: TmuxPlace, _ identifier: String, isNew: Bool) {
    var content = windows[Window(place)] ?? Content(isNew: isNew)
    content.panes.append(Pane(formerIndex: place.pane, identifier: identifier))
    content.panes.sort { $0.formerIndex < $1.formerIndex }
    if place.paneCount > content.paneCount {
      (content.layout, content.paneCount) = (place.layout, place.paneCount)
    }
    content.isChanged = content.isChanged || isNew
    windows[Window(place)] = content
  }

  func opening(for place: TmuxPlace) -> Opening {
    let printing = ["-d", "-P", "-F", "#{pane_id}"]
    let kind: Kind
    let words: [String]
    if let panes = windows[Window(place)]?.panes, let last = panes.last {
      let next = panes.first { $0.formerIndex > place.pane }
      let neighbor = (next ?? last).identifier
      kind = .pane(beside: neighbor)
      words = ["split-window"] + printing + (next == nil ? [] : ["-b"]) + ["-t", neighbor]
    } else if exists(place) {
      kind = .window
      words = ["new-window"] + printing + ["-t", freeTarget(of: place), "-n", Self.title(place)]
    } else {
      kind = .session
      let name = place.session.withoutTmuxEscapes.asTmuxFormat.asTmuxWord
      words =
        ["new-session"] + printing + Self.size(of: place.layout)
        + ["-s", name, "-n", Self.title(place)]
    }
    let opener = Opener(name: Opener.tmux, words: Self.tmux(place.server) + words + ["--"])
    return Opening(opener: opener, place: place, kind: kind)
  }

  /// Supposes that the opener has run, for a dry run.
  mutating func suppose(_ opening: Opening) {
    add(opening.place, Self.unknown, isNew: true)
  }

  /// Takes the output of an opener. Returns false if it has opened nothing: tmux can fail with
  /// status 0.
  mutating func opened(_ opening: Opening, _ output: String) -> Bool {
    guard let identifier = output.split(whereSeparator: \.isNewline).first, identifier.first == "%"
    else { return false }
    let place = opening.place
    add(place, String(identifier), isNew: true)
    servers.insert(place.server)
    let tmux = Self.tmux(place.server)
    if opening.kind == .session {
      let words = ["move-window", "-s", String(identifier), "-t", Self.target(of: place)]
      _ = Self.run(tmux + words)
    } else if let content = windows[Window(place)], content.isNew, content.panes.count > 1 {
      // Makes room for the next pane.
      _ = Self.run(tmux + ["select-layout", "-t", String(identifier), "tiled"])
    }
    return true
  }

  /// Forgets the pane beside which an opener has opened nothing: its program can have ended.
  /// Returns false if the opener needed none.
  mutating func forgetNeighbor(of opening: Opening) -> Bool {
    guard case .pane(let neighbor) = opening.kind else { return false }
    let window = Window(opening.place)
    windows[window]?.panes.removeAll { $0.identifier == neighbor }
    if windows[window]?.panes.isEmpty == true { windows[window] = nil }
    return true
  }

  /// Gives the windows with several panes their former layouts. tmux would remove cells of a layout
  /// for more panes.
  func restoreLayouts() {
    for (window, content) in windows where content.isChanged && content.panes.count > 1 {
      let tmux = Self.tmux(window.server)
      for pane in content.panes {
        let words = ["display-message", "-p", "-t", pane.identifier, "#{window_panes}"]
        guard let count = Self.run(tmux + words) else { continue }
        if Int64(count.prefix { $0.isNumber }) == content.paneCount {
          _ = Self.run(tmux + ["select-layout", "-t", pane.identifier, content.layout])
        }
        break
      }
    }
  }

  private func exists(_ place: TmuxPlace) -> Bool {
    let isSupposed = windows.contains { window, content in
      window.server == place.server && window.session == place.session
        && content.panes.contains { $0.identifier == Self.unknown }
    }
    let words = ["has-session", "-t", "=\(place.session)".asTmuxWord]
    return isSupposed || Self.run(Self.tmux(place.server) + words) != nil
  }

  /// Another window can have the index.
  private func freeTarget(of place: TmuxPlace) -> String {
    let target = Self.target(of: place)
    let isTaken = Self.run(Self.tmux(place.server) + ["list-panes", "-t", target]) != nil
    return isTaken ? "=\(place.session):" : target
  }

  private static func target(of place: TmuxPlace) -> String { "=\(place.session):\(place.window)" }

  /// Stands for the identifier of a pane in a dry run. tmux knows no such pane.
  private static let unknown = "%ID"

  /// The name that the user gave the window; else that of its session.
  private static func title(_ place: TmuxPlace) -> String {
    place.name?.withoutTmuxEscapes.asTmuxFormat.asTmuxWord ?? "%"
  }

  /// tmux with the server of this socket. It makes the directory of a socket that has only a name.
  static func tmux(_ server: String) -> [String] {
    let directory = (Environment["TMUX_TMPDIR"] ?? "/tmp") + "/tmux-\(User.current)"
    let name = Directory.lastPart(of: server)
    let parent = Directory.parent(of: server)
    let hasDirectory = parent.map(File.exists) ?? false
    return [Opener.tmux]
      + (parent == directory || !hasDirectory ? ["-L", name] : ["-S", server])
  }

  /// The size of a window with this layout, which begins with a checksum and the size.
  private static func size(of layout: String) -> [String] {
    let parts = layout.split(separator: ",", maxSplits: 2)
    let numbers = parts.count < 2 ? [] : parts[1].split(separator: "x").compactMap { Int($0) }
    return numbers.count == 2 ? ["-x", "\(numbers[0])", "-y", "\(numbers[1])"] : []
  }

  /// The output of tmux; nil if it fails, or does not end in two seconds.
  static func run(_ words: [String]) -> String? {
    ChildProcess.output(of: words, within: 2_000_000_000)
  }
}
