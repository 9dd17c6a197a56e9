import SceneCommandLine
import SceneModel
import ScenePlatform

/// A run of `scenectl reopen` for one session, in a process of its own, because the verb waits
/// until the window is connected.
final class TopReopen {
  let label: String
  private let child: ChildProcess
  private let errors: FileDescriptor
  private var text: [UInt8] = []

  /// The descriptor for a poller.
  var descriptor: Int32 { errors.number }

  init(_ session: SessionIdentifier, label: String, socket: String) throws(SystemError) {
    self.label = label
    let null = try File.open("/dev/null", [.read, .write])
    var pipe = try FileDescriptor.pipe()
    errors = pipe.takeFirst()
    let output = pipe.takeSecond()
    try errors.setNonblocking()
    // In its own process group, so that Ctrl-C ends only the view.
    child = try ChildProcess.spawn(
      try Executable.current(), ["-S", socket, "reopen", "\(session)"],
      descriptors: [0: null.number, 1: null.number, 2: output.number], group: 0)
  }

  /// Reads what has arrived. Returns the messages of the verb, escaped, when it has ended.
  func handleInput() -> (text: String, isError: Bool)? {
    let buffer = InputBuffer(byteCount: 4096)
    while true {
      switch errors.readAvailable(into: buffer.bytes) {
      case .bytes(let count): text += buffer.bytes[..<count]
      case .wouldBlock: return nil
      case .end, .failed:
        let isError = (try? child.reap())?.isSuccess != true
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        let words = lines.map { $0.hasPrefix("scenectl: ") ? $0.dropFirst(10) : $0 }
        return (PlainText.escaped(words.joined(separator: "; ")), isError)
      }
    }
  }
}
