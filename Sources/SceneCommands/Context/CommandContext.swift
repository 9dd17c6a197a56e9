import SceneCommandLine
import SceneControl
import SceneModel
import ScenePlatform
import SceneTransport
import SceneWire

/// One run of a verb: its command line, its connection to the broker, and its console.
final class CommandContext {
  let verb: Verb
  let invocation: Invocation
  let environment: [String: String]
  let console: Console
  let processControl: ProcessControl
  private let connector: Scenectl.Connector
  private var connection: ControlConnection?
  private let start = SystemClock.monotonic()

  init(
    _ verb: Verb, _ invocation: Invocation, environment: [String: String], console: Console,
    processControl: ProcessControl, connector: @escaping Scenectl.Connector
  ) {
    self.verb = verb
    self.invocation = invocation
    self.environment = environment
    self.console = console
    self.processControl = processControl
    self.connector = connector
  }

  private var waitsForBroker: Bool {
    processControl.ownsProcess && verb.traits.contains(.waitsForBroker)
  }

  var printsJSON: Bool { invocation.has("json") }

  // MARK: - Deadlines

  /// The end of `--timeout`, counted from the start; nil without a timeout, and for a time beyond
  /// the range of the clock.
  var deadline: Int64? {
    guard invocation.knows("timeout"), let timeout = invocation.nanoseconds("timeout") else {
      return nil
    }
    let (time, overflow) = start.addingReportingOverflow(timeout)
    return overflow ? nil : time
  }

  /// The nanoseconds of `--timeout`, for a verb that can do nothing in less than 1 ms.
  @discardableResult
  func boundedTimeout() throws -> Int64 {
    let time = invocation.nanoseconds("timeout") ?? 0
    guard (1_000_000...3_600_000_000_000).contains(time) else {
      throw invocation.usageError("--timeout: expected a time from 1ms to 1h")
    }
    return time
  }

  private var hasTimedOut: Bool { deadline.map { $0 <= SystemClock.monotonic() } ?? false }

  /// The deadline of the queries before an action. They have at least one second, even if the
  /// timeout is shorter.
  var queryDeadline: Int64? {
    verb.traits.contains(.timeoutIsForReply)
      ? deadline : deadline.map { max($0, start + 1_000_000_000) }
  }

  /// The end of all waits for the broker, also to connect; nil for none.
  var horizon: Int64?

  /// The deadline of a reply that a broker sends at once.
  func replyDeadline() -> Int64 {
    min(SystemClock.monotonic() + 10_000_000_000, queryDeadline ?? .max, horizon ?? .max)
  }

  // MARK: - Paths

  /// The paths of the application that `--application` and the environment select.
  func runtimePaths() throws -> RuntimePaths {
    try Environment.check()
    let application = try ApplicationName(invocation.value("application"))
    return RuntimePaths(
      application: application,
      environment: verb.traits.contains(.runsWithoutLogin)
        ? RuntimePaths.completed(environment, application) : environment,
      home: User.home)
  }

  func socketPath() throws -> String {
    try runtimePaths().socket(invocation.value("socket"))
  }

  // MARK: - The connection

  /// The connection to the broker. The first use connects.
  var broker: ControlConnection {
    get throws {
      if let connection { return connection }
      let path = try socketPath()
      if let complaint = UnixSocket.complaint(aboutPath: path) {
        throw ProgramError(.badConfiguration, complaint)
      }
      try startBroker(at: path)
      let new = try connect(to: path)
      if reconnects, processControl.ownsProcess {
        new.reconnect = { [unowned self] (loss) throws(ControlError) in
          try reconnect(to: path, after: loss)
        }
      }
      try checkApplication(of: new)
      connection = new
      return new
    }
  }

  /// Whether the connection goes on with the next broker after the end of one.
  var reconnects = true
  /// Whether the verb runs until the user ends it, and waits for the next broker without a limit.
  var isFollowing = false

  /// The reply to a request that the broker answers at once.
  func request<Message: RequestMessage>(_ message: Message) throws -> Message.Reply {
    try broker.request(message, until: replyDeadline())
  }

  /// The time of the application's clock, in milliseconds since 1970. The clock can be virtual.
  func applicationTime() throws -> Int64 { try request(ApplicationStatus()).now }

  /// Starts a broker if the user asks for it and none runs.
  private func startBroker(at path: String) throws {
    let isWanted = BrokerStart.isWanted(by: environment[BrokerStart.variable])
    guard invocation.has("start") || isWanted && !verb.startsNoBroker(invocation) else { return }
    try BrokerStart(at: path, application: invocation.value("application")).run()
  }

  /// Connects to one of several brokers, once.
  func connect(to path: String, until deadline: Int64) throws(ControlError) -> ControlConnection {
    try connector(path, ClientName(name: "scenectl", version: productVersion), deadline)
  }

  /// Connects. If the verb waits for a broker, retries until the deadline.
  private func connect(to path: String) throws -> ControlConnection {
    while true {
      do {
        return try openConnection(to: path)
      } catch {
        let next = SystemClock.monotonic() + Self.connectInterval
        guard case .noBroker(_, let cause) = error, waitsForBroker, cause.code != .notASocket,
          let deadline, next < deadline
        else { throw error }
        // No event announces a new broker.
        SystemClock.wait(until: next)
      }
    }
  }

  private func openConnection(to path: String) throws(ControlError) -> ControlConnection {
    let client = ClientName(name: "scenectl", version: productVersion)
    let new = try connector(path, client, replyDeadline())
    if verb.traits.contains(.handlesInterrupts) { new.onLongWait = nil }
    if FrameDirection.areShown(by: environment["SCENE_DEBUG"]) {
      new.onFrame = { [console] in console.printError($0.line(of: $1)) }
    }
    return new
  }

  /// Connects to the next broker: within the timeout of the verb, or 10 s after the loss.
  private func reconnect(
    to path: String, after loss: Int64
  ) throws(ControlError) -> ControlConnection {
    let limit =
      isFollowing ? .max : deadline ?? min(loss + 10_000_000_000, horizon ?? .max)
    guard SystemClock.monotonic() < limit else { throw .lost(lastWords: nil) }
    var pause = Self.connectInterval
    var announced = ""
    while true {
      do {
        let new = try openConnection(to: path)
        _ = try new.greeting(until: replyDeadline())
        try checkApplication(of: new)
        return new
      } catch {
        let next = SystemClock.monotonic() + pause
        guard error.canPass, next < limit else { throw error }
        let news = "scenectl: the broker at \(path) \(error.obstacle)"
        if news != announced { console.printError(news) }
        announced = news
        if !isFollowing {
          SystemClock.wait(until: next)
        } else if StandardStream.output.becomesUnread(nanoseconds: pause) {
          throw .unread
        }
        pause = min(pause * 2, Self.longestConnectInterval)
      }
    }
  }

  /// The time between two attempts to connect, in nanoseconds.
  private static let connectInterval: Int64 = 10_000_000
  private static let longestConnectInterval: Int64 = 500_000_000

  /// Throws for a broker of another application, if the command line has an application and a
  /// socket.
  private func checkApplication(of connection: ControlConnection) throws(ControlError) {
    guard invocation.has("application"),
      (try? runtimePaths())?.namesSocket(invocation.value("socket")) == true
    else { return }
    let complaint = try connection.greeting(until: replyDeadline()).complaint(
      aboutApplication: invocation.value("application"))
    if let complaint { throw .otherApplication(complaint) }
  }

  /// Closes the connection. The next request makes a new one.
  func closeConnection() { connection = nil }

  // MARK: - Errors

  /// The error that ends the program, for any error of a verb.
  func failure(for error: any Error) -> ProgramError {
    switch error {
    case let error as ControlError: failure(for: error, (try? socketPath()) ?? "")
    case let error as BrokerStartError:
      ProgramError(.noBroker, PlainText.escapedLines(error.message))
    case let error as MemberError: ProgramError(.badData, PlainText.escaped("\(error)"))
    case let error as ConditionError:
      ProgramError(.usage, "\(error)\nTry '\(invocation.name) --help'.")
    default: ProgramError(error)
    }
  }

  func failure(for error: ControlError, _ path: String) -> ProgramError {
    switch error {
    case .noBroker(_, let error):
      if error.code == .notASocket {
        return ProgramError(.noBroker, "no broker can listen at \(path): \(error.note ?? "")")
      }
      let what = error.isNotFound ? "there is no socket" : "no process listens"
      let wait = waitsForBroker ? timeoutMark : ""
      return ProgramError(
        .noBroker,
        "\(wait)\(RuntimePaths.absence(of: invocation.value("application"))): \(what) at \(path)\n"
          + (LockHolder.obstacle(atSocket: path)
            ?? "\(BrokerStart.advice)\nStart one with: \(startCommand)"))
    case .lost(let lastWords):
      let why = lastWords.map { ": \(PlainText.escaped($0))" } ?? ""
      return ProgramError(
        .noBroker,
        "the broker at \(path) closed the connection\(why)\n"
          + "If the broker has ended, start it again with: \(startCommand)")
    case .refused(let refusal):
      return ProgramError(refusal, suggestions: suggestions())
    case .timedOut:
      return noReplyError(path)
    case .system(let error) where error.isWouldBlock && hasTimedOut:
      return noReplyError(path)
    case .garbled(let what):
      return ProgramError(.noBroker, "the process that listens at \(path) is not a broker: \(what)")
    case .system(let error) where error.isWouldBlock:
      return ProgramError(
        .tryAgain,
        "cannot connect to \(path): too many clients wait; try again later")
    case .system(let error):
      return ProgramError(error)
    case .otherApplication(let problem):
      let advice = (try? runtimePaths())?.adviceOnStranger(at: path, invocation.value("socket"))
      return ProgramError(
        .noBroker, PlainText.escaped(problem) + (advice.map { "\n" + $0 } ?? ""))
    case .unread:
      return console.lostReader()
    }
  }

  private func noReplyError(_ path: String) -> ProgramError {
    let holder = LockHolder(readFrom: LockHolder.file(besideSocket: path))
    let what =
      if let holder {
        "the broker at \(path) (process \(holder.pid)) does not answer"
          + adviceOnSilence(of: holder)
      } else {
        "the broker at \(path) does not answer; check its process and its disk"
      }
    return ProgramError(.timedOut, (hasTimedOut ? timeoutMark : "") + what)
  }

  /// The advice about a broker that did not answer in time, after the statement of that.
  func adviceOnSilence(of holder: LockHolder) -> String {
    let time = hasTimedOut ? invocation.nanoseconds("timeout") : nil
    return holder.adviceOnSilence(after: time ?? .max).map { "\n" + $0 }
      ?? "; allow more time with --timeout"
  }

  /// The beginning of the message after the timeout of the command line.
  private var timeoutMark: String {
    timeoutText.map { "timed out after \($0): " } ?? ""
  }

  /// The timeout of the command line, with a unit.
  var timeoutText: String? {
    invocation.value("timeout").map { $0.allSatisfy(\.isNumber) ? $0 + "s" : $0 }
  }

  private var startCommand: String {
    RuntimePaths.startCommand(
      application: invocation.value("application"), socket: invocation.value("socket"))
  }
}

extension ControlError {
  /// Whether a later attempt to connect can succeed.
  fileprivate var canPass: Bool {
    switch self {
    case .noBroker, .lost, .timedOut: true
    case .refused(let refusal): refusal.retry != .never
    case .system(let error): error.isWouldBlock
    case .garbled, .otherApplication, .unread: false
    }
  }

  /// Why the broker does not take the connection yet, for people.
  fileprivate var obstacle: String {
    switch self {
    case .refused(let refusal):
      "refuses the connection: \(PlainText.escaped(refusal.message)); trying again"
    case .timedOut, .system: "does not answer; trying again"
    case .noBroker, .lost, .garbled, .otherApplication, .unread:
      "has ended; waiting for the next one"
    }
  }
}
