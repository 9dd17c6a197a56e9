import SceneModel
import ScenePlatform

extension TmuxPlace {
  /// The place of this process. Null if its terminal is no pane of the server in `TMUX`. Absent if
  /// the server does not answer, as when it ends. A process can inherit the variables of a server
  /// that ended before. At its opening, it has a pane only if the server accepts a connection.
  static func current(isOpening: Bool) -> Patch<TmuxPlace> {
    guard let pane = Environment["TMUX_PANE"], let server = Environment["TMUX"],
      let terminal = Terminal.name
    else { return .null }
    let socket = String(server.prefix { $0 != "," })
    let format = [
      "#{pane_tty}", "#{window_index}", "#{pane_index}", "#{window_panes}", "#{window_layout}",
      "#{session_name}:#{?automatic-rename,,#{window_name}}",
    ].joined(separator: " ")
    let words = ["tmux", "display-message", "-p", "-t", pane, format]
    let text = ChildProcess.output(of: words, within: timeout)
    guard let parts = text?.split(separator: "\n").first?.split(separator: " ", maxSplits: 5),
      parts.count == 6, let window = Int64(parts[1]), let index = Int64(parts[2]),
      let count = Int64(parts[3])
    else {
      return isOpening && !Display(socket: socket).answers ? .null : .absent
    }
    guard parts[0] == terminal else { return .null }
    var place = TmuxPlace()
    // The name of a session has no colon.
    let names = parts[5].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    place.server = socket
    place.session = names.first.map(String.init) ?? ""
    place.name = names.last.flatMap { names.count == 1 || $0.isEmpty ? nil : String($0) }
    place.window = window
    place.pane = index
    place.paneCount = count
    place.layout = String(parts[4])
    place.identifier = pane
    return .value(place)
  }

  /// Nanoseconds in which a server that does not answer delays the next callback.
  private static let timeout: Int64 = 300_000_000
}
