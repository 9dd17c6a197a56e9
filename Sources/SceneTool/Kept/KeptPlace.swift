import SceneCommandLine
import SceneJSON
import SceneModel
import ScenePlatform

/// The directory with the sockets and lock files of the holders of one application.
struct KeptPlace {
  /// Beside the socket of the broker.
  private let directory: String
  /// The part of the command line that suggestions need.
  let options: String

  init(besideSocket path: String, options: String) {
    let path = Directory.absolute(path)
    directory = (path.hasSuffix(".sock") ? String(path.dropLast(5)) : path) + ".tty"
    self.options = options
  }

  /// The socket of the holder for a word of the command line. A name can be longer than the path of
  /// a socket.
  private func socket(for word: String) -> String {
    let hash = word.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return "\(directory)/\(String(hash, radix: 16)).sock"
  }

  static func lockPath(ofSocket path: String) -> String { path.dropLast(5) + ".lock" }

  // MARK: - Finding

  /// Connects to the holder of the session that the word means; nil if none runs.
  func connection(to word: String) throws(ProgramError) -> HolderConnection? {
    guard File.exists(directory) else { return nil }
    try open(PrivateDirectory.open)
    var socket = socket(for: word)
    let record = Self.record(besideSocket: socket)
    // The name of a session can change, and an identifier selects it too.
    if record?.isCalled(word) != true, let other = otherSocket(for: word) { socket = other }
    return connection(at: socket)
  }

  private func otherSocket(for word: String) -> String? {
    let names = (try? Directory.list(directory)) ?? []
    return names.filter { $0.hasSuffix(".sock") }.map { "\(directory)/\($0)" }
      .first { Self.record(besideSocket: $0)?.isCalled(word) == true }
  }

  /// Nil if no holder has this socket.
  func connection(at socket: String) -> HolderConnection? {
    guard let descriptor = try? UnixSocket.connect(to: socket) else { return nil }
    let record = Self.record(besideSocket: socket)
    return HolderConnection(descriptor, path: socket, process: record?.holder, isNew: false)
  }

  static func record(besideSocket path: String) -> HolderRecord? {
    guard let bytes = try? File.read(lockPath(ofSocket: path), limit: 1 << 20) else { return nil }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    return JSONDocument(reading: ContiguousArray(line)).flatMap {
      try? HolderRecord(reading: $0.root)
    }
  }

  private func open(
    _ body: (String) throws(PrivateDirectoryError) -> FileDescriptor
  ) throws(ProgramError) {
    do throws(PrivateDirectoryError) {
      _ = try body(directory)
    } catch {
      throw ProgramError(.notAllowed, PlainText.escaped("\(error)"))
    }
  }

  // MARK: - Starting

  /// Starts a holder that runs `scene` with these arguments, unless one runs for this word. Without
  /// a word, it is a new one.
  func start(_ arguments: [String], for word: String?) throws -> HolderConnection {
    try open { (path) throws(PrivateDirectoryError) in try PrivateDirectory.make(path) }
    let word = word ?? "\(ProcessIdentity.currentPID) \(SystemClock.monotonic())"
    let deadline = SystemClock.monotonic() + Self.startTime
    let socket = socket(for: word)
    while true {
      if let connection = try connection(to: word) { return connection }
      if let lock = try lock(Self.lockPath(ofSocket: socket)) {
        return try start(arguments, at: socket, lock)
      }
      // Another process starts the holder, or it ends.
      guard SystemClock.monotonic() < deadline else {
        throw ProgramError(
          .tryAgain,
          "another process has locked the terminal and does not answer: "
            + "\(Self.lockPath(ofSocket: socket)); try again")
      }
      SystemClock.wait(until: SystemClock.monotonic() + Self.retryTime)
    }
  }

  private static let startTime: Int64 = 10_000_000_000
  private static let retryTime: Int64 = 10_000_000

  /// Nil if another process has the lock.
  private func lock(_ path: String) throws(SystemError) -> FileDescriptor? {
    let file = try File.open(path, [.read, .write, .create, .noFollow])
    guard try file.tryLock() else { return nil }
    // A holder that ends removes its file.
    let isPresent = try file.status().identity == (try? FileStatus(of: path).identity)
    guard isPresent else { return nil }
    return file
  }

  private func start(
    _ arguments: [String], at socket: String, _ lock: consuming FileDescriptor
  ) throws(SystemError) -> HolderConnection {
    try UnixSocket.remove(at: socket)
    let listener = try UnixSocket.listen(at: socket)
    // The holder can end before this process would connect.
    let connection = try UnixSocket.connect(to: socket)
    var ends = try PseudoTerminal.open()
    let shown = ends.takeFirst()
    let terminal = ends.takeSecond()
    if let size = Terminal.size(of: StandardStream.input.number) {
      Terminal.setSize(size, of: shown.number)
    }
    let mode = try? Terminal.Mode(of: StandardStream.input.number)
    try? mode?.apply(to: terminal.number)
    let holder = try ChildProcess.spawn(
      try Executable.current(), arguments, name: Holder.processName,
      descriptors: [
        0: terminal.number, 1: terminal.number, 2: terminal.number,
        Holder.Number.terminal: shown.number, Holder.Number.listener: listener.number,
        Holder.Number.lock: lock.number,
      ])
    return HolderConnection(connection, path: socket, process: Int64(holder.pid), isNew: true)
  }
}

/// A connection of a viewer to a holder.
struct HolderConnection: ~Copyable {
  let socket: FileDescriptor
  /// The path of the socket.
  let path: String
  /// The process of the holder, if it is known.
  let process: Int64?
  /// Whether the holder was started for this connection.
  let isNew: Bool

  init(_ socket: consuming FileDescriptor, path: String, process: Int64?, isNew: Bool) {
    self.socket = socket
    self.path = path
    self.process = process
    self.isNew = isNew
  }
}
