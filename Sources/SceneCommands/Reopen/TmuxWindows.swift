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

  private var windows: [Window: Content] = [:]
  /// Whether the opener makes a session, whose first window gets the index of the user's settings.
  private var makesSession = false

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

  /// The opener for a window in this place. It prints the identifier of the pane.
  mutating func opener(for place: TmuxPlace) -> Opener {
    makesSession = false
    let tmux = Self.tmux(place.server)
    let printing = ["-d", "-P", "-F", "#{pane_id}"]
    let words: [String]
    if let panes = windows[Window(place)]?.panes, let last = panes.last {
      if let next = panes.first(where: { $0.formerIndex > place.pane }) {
        words = ["split-window"] + printing + ["-b", "-t", next.identifier]
      } else {
        words = ["split-window"] + printing + ["-t", last.identifier]
      }
    } else if exists(place) {
      words = ["new-window"] + printing + ["-t", freeTarget(of: place), "-n", "%"]
    } else {
      makesSession = true
      let name = place.session.asTmuxFormat.asTmuxWord
      words = ["new-session"] + printing + Self.size(of: place.layout) + ["-s", name, "-n", "%"]
    }
    return Opener(name: Opener.tmux, words: tmux + words + ["--"])
  }

  /// The opener has printed this; nil if it has not run.
  mutating func opened(_ place: TmuxPlace, _ output: String?) {
    let printed = output?.split(whereSeparator: \.isNewline).first.map(String.init)
    guard let identifier = printed ?? (output == nil ? Self.target(of: place) : nil) else { return }
    add(place, identifier, isNew: true)
    servers.insert(place.server)
    guard printed != nil else { return }
    let tmux = Self.tmux(place.server)
    if makesSession {
      _ = Self.run(tmux + ["move-window", "-s", identifier, "-t", Self.target(of: place)])
    } else if let content = windows[Window(place)], content.isNew, content.panes.count > 1 {
      // Makes room for the next pane.
      _ = Self.run(tmux + ["select-layout", "-t", identifier, "tiled"])
    }
  }

  /// Gives the windows with several panes their former layouts. tmux refuses a layout of another
  /// number of panes.
  func restoreLayouts() {
    for (window, content) in windows where content.isChanged && content.panes.count > 1 {
      guard let pane = content.panes.first else { continue }
      let words = ["select-layout", "-t", pane.identifier, content.layout]
      _ = Self.run(Self.tmux(window.server) + words)
    }
  }

  private func exists(_ place: TmuxPlace) -> Bool {
    if windows.keys.contains(where: {
      $0.server == place.server && $0.session == place.session
    }) {
      return true
    }
    let words = ["has-session", "-t", "=\(place.session)".asTmuxWord]
    return Self.run(Self.tmux(place.server) + words) != nil
  }

  /// Another window can have the index.
  private func freeTarget(of place: TmuxPlace) -> String {
    let target = Self.target(of: place)
    let isTaken = Self.run(Self.tmux(place.server) + ["list-panes", "-t", target]) != nil
    return isTaken ? "=\(place.session):" : target
  }

  private static func target(of place: TmuxPlace) -> String { "=\(place.session):\(place.window)" }

  /// tmux with the server of this name, or at this path.
  static func tmux(_ server: String) -> [String] {
    [Opener.tmux, server.hasPrefix("/") ? "-S" : "-L", server]
  }

  /// The size of a window with this layout, which begins with a checksum and the size.
  private static func size(of layout: String) -> [String] {
    let parts = layout.split(separator: ",", maxSplits: 2)
    let numbers = parts.count < 2 ? [] : parts[1].split(separator: "x").compactMap { Int($0) }
    return numbers.count == 2 ? ["-x", "\(numbers[0])", "-y", "\(numbers[1])"] : []
  }

  /// Nil if tmux fails.
  private static func run(_ words: [String]) -> String? {
    ChildProcess.output(of: words, within: 2_000_000_000)
  }
}
