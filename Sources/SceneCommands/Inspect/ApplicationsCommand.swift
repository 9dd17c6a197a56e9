import SceneCommandLine
import SceneControl
import SceneModel
import ScenePlatform

extension Verb {
  static let applications = Verb(
    "applications", "List your applications and their brokers.",
    run: CommandContext.applications,
    details: """
      The verb finds the sockets in $XDG_RUNTIME_DIR and the state directories of this user. A \
      broker that does not answer within one second is listed as `does not answer`, and an \
      application without a broker as `no broker`. After another error, the line has `failed`, \
      and the verb prints the error. With --json the verb prints a line for each application.
      """,
    examples: ["scenectl applications": "Prints a line for each application."])
}

/// An application of this user, as `applications --json` prints it.
private struct ListedApplication: JSONStructure {
  var name = ""
  /// `running`, `noBroker`, `silent` or `failed`.
  var broker = "noBroker"
  var socket = ""
  /// Why the broker is `failed`.
  var problem: String?
  var sessions: Int64?
  /// The scenes in the foreground.
  var foreground: Int64?
  var version: String?
  /// The start of the broker, in milliseconds since 1970.
  var startedAt: Int64?
  var now: Int64?

  mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("name", &name)
    try visitor.required("broker", &broker)
    try visitor.required("socket", &socket)
    try visitor.optional("problem", &problem)
    try visitor.optional("sessions", &sessions)
    try visitor.optional("foreground", &foreground)
    try visitor.optional("version", &version)
    try visitor.optional("startedAt", &startedAt)
    try visitor.optional("now", &now)
  }
}

extension CommandContext {
  /// Nanoseconds for the answers of one broker.
  private static let answerTime: Int64 = 1_000_000_000

  fileprivate func applications() throws -> ExitCode {
    let paths = try runtimePaths()
    var table = Table(["NAME", "BROKER", "SESSIONS", "FOREGROUND", "VERSION", "UPTIME"])
    for name in paths.applications {
      let application = try status(of: name, at: paths.usual(of: name))
      if printsJSON {
        console.print(application)
      } else {
        table.add(row(of: application))
        if let problem = application.problem { console.printError("scenectl: \(name): \(problem)") }
      }
    }
    if !printsJSON { console.print(table) }
    return .success
  }

  private func status(
    of name: ApplicationName, at paths: RuntimePaths
  ) throws -> ListedApplication {
    var application = ListedApplication()
    application.name = name.description
    // A broker with another socket names it in its state directory.
    let named = LockHolder(readFrom: LockHolder.file(inState: try paths.stateDirectory()))
    let sockets = [try paths.socket(), named?.socket].compactMap(\.self)
    application.socket = sockets[0]
    for socket in sockets where application.broker != "running" {
      let deadline = SystemClock.monotonic() + Self.answerTime
      do {
        let broker = try connect(to: socket, until: deadline)
        let status = try broker.request(ApplicationStatus(), until: deadline)
        guard status.name == application.name else { continue }
        application.foreground = Int64(try foregroundCount(on: broker, until: deadline))
        application.sessions = Int64(status.sessions)
        (application.version, application.startedAt) = (status.version, status.startedAt)
        application.now = status.now
        (application.broker, application.socket) = ("running", socket)
        application.problem = nil
      } catch {
        if case .noBroker = error { continue }
        (application.broker, application.socket) = ("silent", socket)
        application.problem = nil
        guard error != .timedOut else { continue }
        // The further lines advise for the application of the command line.
        let problem = failure(for: error, socket).message.split(separator: "\n").first
        (application.broker, application.problem) = ("failed", problem.map(String.init))
      }
    }
    return application
  }

  private func foregroundCount(
    on broker: ControlConnection, until deadline: Int64
  ) throws(ControlError) -> Int {
    var count = 0
    for state in [ActivationState.foregroundInactive, .foregroundActive] {
      try broker.forEachPage(of: SessionList(state: state), until: deadline) { page, _ in
        count += page.sessions.count
      }
    }
    return count
  }

  private func row(of application: ListedApplication) -> [Table.Cell] {
    let words = ["silent": "does not answer", "noBroker": "no broker"]
    let uptime = application.startedAt.map { Age.text(from: $0, to: application.now ?? $0) }
    return [
      application.name, words[application.broker] ?? application.broker,
      application.sessions.map { "\($0)" } ?? "-", application.foreground.map { "\($0)" } ?? "-",
      application.version ?? "-", uptime ?? "-",
    ].map { Table.Cell($0) }
  }
}
