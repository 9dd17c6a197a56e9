import ScenePlatform

/// A command that is given something to read, and what it said to that.
enum CommandRun {
  struct Outcome {
    var end: ProcessEnd
    var output: ContiguousArray<UInt8>
  }

  /// Its errors are ours.
  static func run(
    _ words: [String], _ environment: [String: String], input: ContiguousArray<UInt8>
  ) throws(SystemError) -> Outcome {
    var given = try FileDescriptor.pipe()
    var said = try FileDescriptor.pipe()
    let child = try start(
      words, environment, input: given.takeFirst(), output: said.takeSecond())
    // It may say something before it has read everything, or read nothing at all.
    let feed = Feed(given.takeSecond(), input)
    let feeding = try Thread("question") { feed.write() }
    let output = try said.takeFirst().readToEnd(limit: 16 << 20)
    feeding.join()
    return Outcome(end: try child.reap(), output: output)
  }

  /// What the child has of the pipes is its own.
  private static func start(
    _ words: [String], _ environment: [String: String], input: consuming FileDescriptor,
    output: consuming FileDescriptor
  ) throws(SystemError) -> ChildProcess {
    try ChildProcess.spawn(
      words[0], Array(words.dropFirst()), environment: environment,
      descriptors: [0: input.number, 1: output.number, 2: StandardStream.error.number])
  }

  private final class Feed: @unchecked Sendable {
    private var descriptor: FileDescriptor?
    private let bytes: ContiguousArray<UInt8>

    init(_ descriptor: consuming FileDescriptor, _ bytes: ContiguousArray<UInt8>) {
      self.descriptor = consume descriptor
      self.bytes = bytes
    }

    /// Writes all of it, and closes; what is not read is nobody's.
    func write() {
      bytes.withUnsafeBytes { try? descriptor?.write($0) }
      descriptor = nil
    }
  }
}
