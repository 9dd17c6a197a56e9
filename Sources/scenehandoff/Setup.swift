import SceneCommandLine
import SceneHandoff
import SceneJSON
import SceneModel
import ScenePlatform

/// The settings of the command line.
struct Setup {
  var members: [EngineAddress] = []
  var host: String
  var application: ApplicationName
  var socket: String
  /// The command line that starts the broker.
  var startCommand: String
  var stateFile: String
  var leaseSeconds: Int64
  var user: EngineUser?
  var ssh: [String]
  var readyDescriptor: Int32?

  init(_ invocation: Invocation) throws {
    guard !invocation.values("engine").isEmpty else {
      throw invocation.usageError("--engine is missing; give \(EngineAddress.expectation)")
    }
    for text in invocation.values("engine") {
      guard let address = EngineAddress(text) else {
        throw invocation.usageError(
          "--engine: \"\(text)\" is not \(EngineAddress.expectation)")
      }
      guard !address.isExposed || invocation.has("plain") else {
        throw invocation.usageError(
          "--engine: the messages to \(address) are not encrypted; use ssh:HOST, or --plain for a "
            + "private network")
      }
      members.append(address)
    }
    host = invocation.value("host") ?? String(Host.name.prefix { $0 != "." })
    if let problem = HostName.problem(with: host) {
      throw invocation.usageError("--host: \(problem); found \"\(host)\"")
    }
    try Environment.check()
    application = try ApplicationName(invocation.value("application"))
    let paths = RuntimePaths(application: application)
    socket = try paths.socket(invocation.value("socket"))
    startCommand = RuntimePaths.startCommand(
      application: invocation.value("application"), socket: invocation.value("socket"))
    stateFile =
      try invocation.value("state") ?? (paths.stateDirectory() + "/handoff.json")
    leaseSeconds = Int64(invocation.integer("ttl") ?? 30)
    user = try invocation.value("credentials").map(Self.user(inFile:))
    do throws(ShellWordsError) {
      ssh = try ShellWords.split(Environment["SCENE_SSH"] ?? "")
    } catch {
      throw invocation.usageError("SCENE_SSH: \(error)")
    }
    if ssh.isEmpty { ssh = ["ssh"] }
    readyDescriptor = invocation.integer("ready-fd").map(Int32.init)
    if let number = readyDescriptor, !FileDescriptor.isOpen(number) {
      throw invocation.usageError("--ready-fd: descriptor \(number) is not open")
    }
  }

  /// The user of etcd in a private file.
  private static func user(inFile path: String) throws -> EngineUser {
    let status: FileStatus
    do throws(SystemError) {
      status = try FileStatus(of: path)
    } catch {
      throw error.isNotFound
        ? ProgramError(.badConfiguration, "--credentials: \(error)") : ProgramError(error)
    }
    // Advice about the mode could harm a directory.
    guard status.kind == .regular else {
      throw ProgramError(
        .badConfiguration, "\(path): expected a regular file, found \(status.kind.name)")
    }
    guard status.owner == User.current else {
      throw ProgramError(
        .notAllowed, "\(path): the file belongs to another user; copy it to a file of your own")
    }
    guard status.mode & 0o077 == 0 else {
      throw ProgramError(
        .notAllowed,
        "\(path): other users can read the password; run: chmod 600 \(path.shellWord)")
    }
    let bytes = try File.readRegular(path, limit: 4096)
    let line = String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline }
    guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
      throw ProgramError(.badConfiguration, "\(path): expected one line USER:PASSWORD")
    }
    return EngineUser(
      name: String(line[..<colon]), password: String(line[line.index(after: colon)...]))
  }

  /// The user in the names of the keys.
  var keyUser: String {
    let name = user?.name ?? Environment["USER"] ?? ""
    return HostName.problem(with: name) == nil ? name : "\(User.current)"
  }

  /// The lock of the state file until it is closed. Two agents with one state would be one host.
  func lock() throws -> FileDescriptor {
    try Directory.makeAll(Directory.parent(of: stateFile) ?? "/")
    let file = try File.open(stateFile + ".lock", [.write, .create], mode: 0o600)
    guard try file.tryLock() else {
      throw ProgramError(
        .failure, "another scenehandoff runs with the state file \(stateFile)")
    }
    return file
  }

  /// The state of the last run; a new one without a file.
  func state() throws -> AgentState {
    guard File.exists(stateFile) else {
      var random = SystemRandomNumberGenerator()
      let number = Int64.random(in: 1...Int64.max, using: &random)
      let state = AgentState(number: number, host: host)
      try store(state)
      return state
    }
    let bytes = try File.read(stateFile, limit: 16 << 20)
    let state: AgentState
    do throws(MemberError) {
      state = try AgentState(parsing: bytes)
    } catch {
      throw ProgramError(
        .badData, "the state file \(stateFile) is damaged: \(error); move it away and start again")
    }
    if let known = state.host, known != host {
      throw ProgramError(
        .failure,
        "the state file \(stateFile) is of the host \(known), which owns the sessions of this broker; "
          + "use: --host \(known)")
    }
    return state
  }

  /// Replaces the state file. A power loss leaves the old or the new one.
  func store(_ state: AgentState) throws(SystemError) {
    try File.write(state.json.bytes, to: stateFile + ".new", durably: true)
    try File.rename(stateFile + ".new", to: stateFile)
    try Directory.synchronize(Directory.parent(of: stateFile) ?? ".")
  }
}
