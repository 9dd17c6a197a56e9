/// A display server, which a terminal window needs.
package struct Display {
  /// The path of the server's socket; nil for a server on another machine.
  package let socket: String?

  package init(socket: String?) { self.socket = socket }

  /// Whether the server accepts a connection. A variable can name a server that has ended.
  package var answers: Bool {
    guard let socket else { return true }
    do throws(SystemError) {
      _ = try UnixSocket.connect(to: socket, within: Self.timeout)
      return true
    } catch {
      return false
    }
  }

  private static let timeout: Int64 = 500_000_000

  /// The server of `WAYLAND_DISPLAY`.
  package static func wayland(in environment: [String: String]) -> Display? {
    guard let name = environment["WAYLAND_DISPLAY"], !name.isEmpty else { return nil }
    if name.hasPrefix("/") { return Display(socket: name) }
    return Display(socket: (environment["XDG_RUNTIME_DIR"] ?? "") + "/" + name)
  }

  /// The server of `DISPLAY`, such as `:0.0`, `host:10` or a path.
  package static func x11(in environment: [String: String]) -> Display? {
    guard let name = environment["DISPLAY"], !name.isEmpty else { return nil }
    if name.hasPrefix("/") { return Display(socket: name) }
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].isEmpty || parts[0] == "unix" else {
      return Display(socket: nil)
    }
    return Display(socket: "/tmp/.X11-unix/X" + parts[1].prefix { $0.isNumber })
  }
}
