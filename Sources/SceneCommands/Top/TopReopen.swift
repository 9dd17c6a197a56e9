import SceneCommandLine
import SceneModel
import ScenePlatform

/// A run of `scenectl reopen` for one session, in a process of its own, because the verb waits
/// until the window is connected.
struct TopReopen {
  private let child: ChildProcess
  private let errors: TemporaryFile
  /// Whether the view ends when the window is open.
  let thenQuit: Bool

  init(_ session: SessionIdentifier, socket: String, thenQuit: Bool) throws(SystemError) {
    self.thenQuit = thenQuit
    let null = try File.open("/dev/null", [.read, .write])
    errors = try TemporaryFile()
    // In its own process group, so that Ctrl-C ends only the view.
    child = try ChildProcess.spawn(
      try Executable.current(), ["-S", socket, "reopen", "\(session)"],
      descriptors: [0: null.number, 1: null.number, 2: errors.number], group: 0)
  }

  /// The messages of the verb, escaped, when it has ended; nil before.
  func messageAtEnd() -> TopView.Message? {
    guard let end = child.reapIfEnded() else { return nil }
    let lines = errors.text.split(separator: "\n")
    let words = lines.map { $0.hasPrefix("scenectl: ") ? $0.dropFirst(10) : $0 }
    let text =
      words.isEmpty && !end.isSuccess ? "the window did not open" : words.joined(separator: "; ")
    return TopView.Message(text: PlainText.escaped(text), isError: !end.isSuccess)
  }
}
