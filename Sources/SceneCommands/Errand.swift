import CommandLine
import JSON
import SceneControl
import SceneModel
import ScenePlatform
import SceneTransport
import SceneWire

/// One run of a verb: its command line, the broker it asks, and where it prints.
final class Errand {
  let invocation: Invocation
  let environment: [String: String]
  let console: Console
  private let connect: Scenectl.Opening
  let processControl: ProcessControl
  /// Whether a broker may be started meanwhile.
  var awaitsBroker = false
  private var connection: ControlConnection?
  private let start = SystemClock.monotonic()

  init(
    _ invocation: Invocation, environment: [String: String], console: Console,
    processControl: ProcessControl, open: @escaping Scenectl.Opening
  ) {
    self.invocation = invocation
    self.environment = environment
    self.console = console
    self.processControl = processControl
    connect = open
  }

  var printsJSON: Bool { invocation.has("json") }

  // MARK: - How long it may take

  /// When the time of `--timeout` is over, counted from the start; nil for a verb without, and
  /// where that is further away than clocks go.
  var deadline: Int64? {
    guard invocation.knows("timeout"), let timeout = invocation.nanoseconds("timeout") else {
      return nil
    }
    let (time, overflow) = start.addingReportingOverflow(timeout)
    return overflow ? nil : time
  }

  private var isOutOfTime: Bool { deadline.map { $0 <= SystemClock.monotonic() } ?? false }

  /// The deadline for what has to be known first: it may be looked at even where there is no time
  /// to wait for anything.
  var deadlineToLook: Int64? {
    // What only looks has nothing to wait for.
    invocation.verbs == [Verb.sessions.rawValue]
      ? deadline : deadline.map { max($0, start + 1_000_000_000) }
  }

  /// A time by which a broker that is well has answered a question.
  func patience() -> Int64 {
    min(SystemClock.monotonic() + 10_000_000_000, deadlineToLook ?? .max)
  }

  /// What time it is for the application, in milliseconds since 1970: its clock may be virtual.
  func applicationTime() throws(ProgramError) -> Int64 {
    try ask { broker throws(ControlError) in
      try broker.request(ApplicationStatus(), until: patience()).now
    }
  }

  // MARK: - Where things are

  /// The application's places, as told by `-a` and the environment.
  func places() throws(ProgramError) -> RuntimePaths {
    do throws(EnvironmentError) {
      try Environment.check()
    } catch {
      throw ProgramError(.badConfiguration, error.description)
    }
    do throws(ApplicationNameError) {
      let name = try invocation.value("application").map(ApplicationName.init) ?? .default
      return RuntimePaths(application: name, environment: environment, home: User.home)
    } catch {
      throw ProgramError(.usage, error.description)
    }
  }

  func socketPath() throws(ProgramError) -> String {
    let places = try places()
    do throws(RuntimePathsError) {
      return try places.socket(invocation.value("socket"))
    } catch {
      throw ProgramError(.badConfiguration, error.description)
    }
  }

  // MARK: - The broker

  /// Asks the broker; the connection is made when it is first needed.
  func ask<Answer>(
    _ body: (ControlConnection) throws(ControlError) -> Answer
  ) throws(ProgramError) -> Answer {
    let path = try socketPath()
    if let complaint = UnixSocket.complaint(aboutPath: path) {
      throw ProgramError(.badConfiguration, complaint)
    }
    do {
      let connection = try connected(to: path)
      if let complaint = try wrongApplication(behind: connection) {
        let places = try places()
        throw ProgramError(
          .noBroker,
          PlainText.escaped(complaint) + "\n"
            + places.adviceOnStranger(at: path, invocation.value("socket")))
      }
      return try body(connection)
    } catch let error as ControlError {
      throw explain(error, path)
    } catch let error as ProgramError {
      throw error
    } catch {
      preconditionFailure("nothing else is thrown here")
    }
  }

  /// Why the broker is the wrong one, where `--application` and a socket are given.
  private func wrongApplication(
    behind connection: ControlConnection
  ) throws(ControlError) -> String? {
    guard invocation.has("application"),
      (try? places())?.namesSocket(invocation.value("socket")) == true
    else { return nil }
    return try connection.broker(until: patience()).complaint(
      aboutApplication: invocation.value("application"))
  }

  /// Where this broker is to be waited for, one that is not there now may be on its way.
  private func opened(_ path: String) throws(ControlError) -> ControlConnection {
    let client = ClientName(name: "scenectl", version: productVersion)
    while true {
      do throws(ControlError) {
        return try connect(path, client, patience())
      } catch .noBroker(let path, let error) {
        let next = SystemClock.monotonic() + Self.lookForBroker
        guard awaitsBroker, error.code != .notASocket, let deadline, next < deadline else {
          throw .noBroker(path: path, error)
        }
        // No event reports that.
        _ = ConditionMutex(()).wait(until: next) { _ -> Void? in nil }
      }
    }
  }

  /// How often to look whether a broker has come, in nanoseconds.
  static let lookForBroker: Int64 = 10_000_000

  private func connected(to path: String) throws(ControlError) -> ControlConnection {
    if let connection { return connection }
    let connection = try opened(path)
    if invocation.verbs.first.flatMap(Verb.init)?.heedsInterrupts == true {
      connection.onLongWait = nil
    }
    if FrameDirection.areShown(by: environment["SCENE_DEBUG"]) {
      connection.onFrame = { [console] in console.complain($0.line(of: $1)) }
    }
    self.connection = connection
    return connection
  }

  /// The next question is asked on a connection of its own.
  func forgetBroker() { connection = nil }

  private func explain(_ error: ControlError, _ path: String) -> ProgramError {
    switch error {
    case .noBroker(_, let error):
      if error.code == .notASocket {
        return ProgramError(.noBroker, "no broker can listen at \(path): \(error.note ?? "")")
      }
      let what = error.isNotFound ? "there is no socket" : "no process listens"
      return ProgramError(
        .noBroker,
        "\(RuntimePaths.absence(of: invocation.value("application"))): \(what) at \(path)\n"
          + (LockHolder.obstacle(atSocket: path) ?? "Start one with: \(startCommand)"))
    case .lost(let lastWords):
      let why = lastWords.map { ": \(PlainText.escaped($0))" } ?? ""
      return ProgramError(
        .noBroker,
        "the broker at \(path) closed the connection\(why)\n"
          + "If the broker has ended, start it again with: \(startCommand)")
    case .refused(let refusal):
      return ProgramError(refusal, advice: advice())
    case .timedOut:
      return unanswered(path)
    case .system(let error) where error.isWouldBlock && isOutOfTime:
      return unanswered(path)
    case .garbled(let what):
      return ProgramError(.noBroker, "the process that listens at \(path) is not a broker: \(what)")
    case .system(let error) where error.isWouldBlock:
      return ProgramError(
        .tryAgain,
        "cannot connect to \(path): too many clients wait; try again later")
    case .system(let error):
      return ProgramError(error)
    }
  }

  private func unanswered(_ path: String) -> ProgramError {
    let holder = LockHolder(readFrom: LockHolder.file(besideSocket: path))
    let what =
      if let holder {
        "the broker at \(path) (process \(holder.pid)) does not answer\n\(holder.adviceOnSilence)"
      } else {
        "the broker at \(path) does not answer; check its process and its disk"
      }
    let timeout = isOutOfTime ? invocation.value("timeout") : nil
    return ProgramError(.timedOut, timeout.map { "timed out after \($0): \(what)" } ?? what)
  }

  private var startCommand: String {
    RuntimePaths.startCommand(
      application: invocation.value("application"), socket: invocation.value("socket"))
  }
}
