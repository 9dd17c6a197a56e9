import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel
import ScenePlatform

/// The directory with the sockets and lock files of the holders of one application.
struct KeptPlace {
  /// The socket of the broker.
  private let broker: String
  /// Beside the socket of the broker.
  private let directory: String
  /// The part of the command line that suggestions need.
  let options: String

  init(besideSocket path: String, options: String) {
    broker = Directory.absolute(path)
    directory = (broker.hasSuffix(".sock") ? String(broker.dropLast(5)) : broker) + ".tty"
    self.options = options
  }

  /// The socket of a new holder. A name can be longer than the path of a socket. The number is 0,
  /// unless a session that has another name now runs there.
  private func socket(for word: String, _ number: Int = 0) -> String {
    let hash = String(word.utf8.digest, radix: 16)
    return "\(directory)/\(hash)\(number == 0 ? "" : "-\(number)").sock"
  }

  static func lockPath(ofSocket path: String) -> String { path.dropLast(5) + ".lock" }

  // MARK: - Finding

  /// Connects to the holder of the session; nil if none runs. The name of a session can change, so
  /// the broker decides if it runs.
  func connection(to session: WindowSession) throws(ProgramError) -> HolderConnection? {
    guard File.exists(directory) else { return nil }
    try open(PrivateDirectory.open)
    let names = (try? Directory.list(directory)) ?? []
    let holders = names.filter { $0.hasSuffix(".sock") }.map { name in
      let path = "\(directory)/\(name)"
      return (path, Self.record(besideSocket: path))
    }
    let isConnected = holders.contains { $0.1?.session != nil }
    let known = isConnected ? identifier(of: session) : .absent
    for (path, record) in holders {
      // A holder that starts has no record or no session.
      guard let record else {
        guard path == socket(for: session.text) else { continue }
        if let connection = connection(at: path) { return connection }
        continue
      }
      let isMeant =
        switch known {
        case .value(let identifier) where record.session != nil: record.session == identifier
        case .null where record.session != nil: false
        default: record.isCalled(session.text)
        }
      if isMeant, let connection = connection(at: path) { return connection }
    }
    return nil
  }

  /// The session as the broker knows it: null if it does not exist, and absent without a broker.
  private func identifier(of session: WindowSession) -> Patch<SessionIdentifier> {
    do throws(ControlError) {
      let deadline = SystemClock.monotonic() + Self.brokerTime
      let connection = try ControlConnection.open(
        broker, as: SceneController.control, until: deadline)
      switch session {
      case .name(let name):
        return .orNull(
          try connection.find(named: name, until: deadline)?.details.summary.session)
      case .word(let word):
        guard case .found(let found)? = try connection.find([word], until: deadline).first else {
          return .null
        }
        return .value(found.details.summary.session)
      }
    } catch {
      return .absent
    }
  }

  /// Nanoseconds in which a broker answers.
  private static let brokerTime: Int64 = 1_000_000_000

  /// Nil if no holder has this socket.
  func connection(at socket: String) -> HolderConnection? {
    guard let descriptor = try? UnixSocket.connect(to: socket) else { return nil }
    let record = Self.record(besideSocket: socket)
    return HolderConnection(descriptor, path: socket, process: record?.holder, isNew: false)
  }

  /// Whether a window can attach to the holder with this process.
  func hasSocket(ofHolder process: Int64) -> Bool {
    let names = (try? Directory.list(directory)) ?? []
    return names.contains { name in
      let path = "\(directory)/\(name)"
      return name.hasSuffix(".sock") && Self.record(besideSocket: path)?.holder == process
        && connection(at: path) != nil
    }
  }

  static func record(besideSocket path: String) -> HolderRecord? {
    guard let bytes = try? File.read(lockPath(ofSocket: path), limit: Self.recordLimit) else {
      return nil
    }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    return JSONDocument(reading: ContiguousArray(line)).flatMap {
      try? HolderRecord(reading: $0.root)
    }
  }

  /// More than the arguments of a process.
  private static let recordLimit = 4 << 20

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

  /// Starts a holder that runs `scene` with these arguments, unless one runs for this session.
  /// Without a session, it is a new one.
  func start(_ arguments: [String], for session: WindowSession?) throws -> HolderConnection {
    try open { (path) throws(PrivateDirectoryError) in try PrivateDirectory.make(path) }
    let word = session?.text ?? "\(ProcessIdentity.currentPID) \(SystemClock.monotonic())"
    let deadline = SystemClock.monotonic() + Self.startTime
    var number = 0
    while true {
      if let session, let connection = try connection(to: session) { return connection }
      let socket = socket(for: word, number)
      if let lock = try Self.lock(Self.lockPath(ofSocket: socket)) {
        return try start(arguments, at: socket, lock)
      }
      if Self.record(besideSocket: socket)?.session != nil {
        number += 1
        continue
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
  static func lock(_ path: String) throws(SystemError) -> FileDescriptor? {
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
