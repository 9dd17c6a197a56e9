import SceneBroker
import SceneJSON
package import SceneModel
package import ScenePlatform

/// The state that a program hands to its successor in the same process: one JSON object in a file
/// without a name. Scenes, names and stored topics come from the journal.
package struct UpgradeState: JSONStructure, Sendable {
  /// A program with another number refuses the state before it replaces the broker.
  package static let format: Int64 = 1
  private static let byteLimit = 64 << 20

  package var format = UpgradeState.format
  package var previous = PreviousBroker()
  /// The path that the broker was started from.
  var path = ""
  /// The command line of the broker, with its name.
  var words: [String] = []
  /// The numbers of the descriptors; nil for an absent one.
  var listener: Int64 = -1
  var socketLock: Int64?
  var stateDirectory: Int64?
  var stateFile: Int64?
  /// The descriptor of --leash-fd.
  var lifetime: Int64?
  /// The file of the replaced program, which goes on if this one fails to start.
  package var program: Int64?
  /// A manifest that came from a pipe, which cannot be read again.
  package var manifest: OpaqueObject?
  /// The broker's state that the journal does not have; nil for a check.
  var broker: CarriedState?
  /// The time of a virtual clock.
  var monotonic: Int64?
  var wall: Int64?

  package init() {}

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("format", &format)
    try visitor.required("previous", &previous)
    try visitor.required("path", &path)
    try visitor.required("words", &words)
    try visitor.required("listener", &listener)
    try visitor.optional("socketLock", &socketLock)
    try visitor.optional("stateDirectory", &stateDirectory)
    try visitor.optional("stateFile", &stateFile)
    try visitor.optional("lifetime", &lifetime)
    try visitor.optional("program", &program)
    try visitor.optional("manifest", &manifest)
    try visitor.optional("broker", &broker)
    try visitor.optional("monotonic", &monotonic)
    try visitor.optional("wall", &wall)
  }

  // MARK: - Between programs

  /// Names the process and the descriptor of the state. A child of the process has another number.
  private static let variable = "SCENED_UPGRADE"

  /// The state of the program that this one replaces; nil after another start.
  package static func inherited() throws(MemberError) -> UpgradeState? {
    let words = Environment[variable]?.split(separator: ":") ?? []
    guard words.count == 2, words[0] == "\(ProcessIdentity.currentPID)",
      let number = Int32(words[1])
    else { return nil }
    return try UpgradeState(in: FileDescriptor(adopting: number))
  }

  /// Reads the state that a file has.
  package init(in file: consuming FileDescriptor) throws(MemberError) {
    let bytes = (try? file.read(at: 0, count: Self.byteLimit)) ?? []
    try self.init(parsing: bytes)
    guard format == Self.format else {
      throw MemberError(
        path: "format", problem: "expected \(Self.format), found \(format); restart the broker")
    }
  }

  var clock: Instant? {
    guard let monotonic, let wall else { return nil }
    return Instant(monotonic: monotonic, wall: wall)
  }

  /// The descriptors that the next program needs.
  private var descriptors: [Int32] {
    [listener, socketLock, stateDirectory, stateFile, program].compactMap { $0.map(Int32.init) }
  }

  /// Replaces the program of this process by the one at `path`, or by `file`. Returns only if that
  /// fails.
  func execute(_ file: String? = nil) -> SystemError {
    do throws(SystemError) {
      let state = try TemporaryFile(inMemory: json.bytes)
      for number in descriptors + [lifetime.map(Int32.init) ?? state.number, state.number] {
        try FileDescriptor.setCloseOnExec(false, of: number)
      }
      CurrentProcess.restoreLimits()
      let value = "\(ProcessIdentity.currentPID):\(state.number)"
      return CurrentProcess.execute(
        file ?? path, words, in: ".", changing: [Self.variable: value])
    } catch {
      return error
    }
  }

  /// Gives the process back to the program before this one. Returns only if that fails.
  package func giveBack(because problem: String, version: String) {
    guard let program else { return }
    var state = self
    state.previous.problem = "\(version): \(problem)"
    state.program = nil
    _ = state.execute("/proc/self/fd/\(program)")
  }

  /// This program serves: the earlier one cannot return.
  fileprivate func close() {
    for number in descriptors { FileDescriptor(adopting: number).close() }
  }
}

/// The state of the program that this one replaces, until this one serves.
package final class UpgradeSource {
  package private(set) var state: UpgradeState?

  package init(_ state: UpgradeState) { self.state = state }

  func close() {
    state?.close()
    state = nil
  }
}

/// The socket and the locks that this program takes over. They are duplicates: the program before
/// this one needs the others, if this one fails to start.
extension UpgradeState {
  mutating func take(_ socket: borrowing ListeningSocket) {
    listener = Int64(socket.listener.number)
    socketLock = socket.lockNumber.map(Int64.init)
  }

  mutating func take(_ lock: StateLock) {
    let (directory, file) = lock.numbers
    (stateDirectory, stateFile) = (Int64(directory), Int64(file))
  }

  func adoptStateLock(_ directory: String) throws(SystemError) -> StateLock? {
    guard let stateDirectory, let stateFile else { return nil }
    return try StateLock(
      OpenDirectory(.duplicating(Int32(stateDirectory)), path: directory),
      .duplicating(Int32(stateFile)))
  }

  func adoptSocket(_ configuration: ServerConfiguration) throws(SystemError) -> ListeningSocket {
    for number in descriptors { try FileDescriptor.setCloseOnExec(true, of: number) }
    let listener = try FileDescriptor.duplicating(Int32(listener))
    guard let socketLock else { return ListeningSocket(inherited: listener) }
    return try ListeningSocket(
      upgrading: listener,
      SocketLock(
        configuration.socketPath, state: configuration.lockedState,
        .duplicating(Int32(socketLock))))
  }
}
