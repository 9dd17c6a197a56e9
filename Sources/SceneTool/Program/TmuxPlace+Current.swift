import SceneModel
import ScenePlatform

extension TmuxPlace {
  /// The place of this process; nil if its terminal is no pane of the server in `TMUX`.
  static func current() -> TmuxPlace? {
    guard let pane = Environment["TMUX_PANE"], let server = Environment["TMUX"],
      let terminal = Terminal.name
    else { return nil }
    let format = [
      "#{pane_tty}", "#{window_index}", "#{pane_index}", "#{window_panes}", "#{window_layout}",
      "#{session_name}",
    ].joined(separator: " ")
    let words = ["tmux", "display-message", "-p", "-t", pane, format]
    let text = ChildProcess.output(of: words, within: timeout)
    guard let parts = text?.split(separator: "\n").first?.split(separator: " ", maxSplits: 5),
      parts.count == 6, parts[0] == terminal, let window = Int64(parts[1]),
      let index = Int64(parts[2]), let count = Int64(parts[3])
    else { return nil }
    var place = TmuxPlace()
    place.server = serverName(of: String(server.prefix { $0 != "," }))
    place.session = String(parts[5])
    place.window = window
    place.pane = index
    place.paneCount = count
    place.layout = String(parts[4])
    place.identifier = pane
    return place
  }

  /// Nanoseconds in which a server that does not answer delays the next callback.
  private static let timeout: Int64 = 300_000_000

  /// tmux makes the directory of the sockets that have only a name.
  private static func serverName(of socket: String) -> String {
    guard let parent = Directory.parent(of: socket),
      parent.split(separator: "/").last == "tmux-\(User.current)"
    else { return socket }
    return socket.split(separator: "/").last.map(String.init) ?? socket
  }
}
