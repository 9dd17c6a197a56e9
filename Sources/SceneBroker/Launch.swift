package import SceneModel

/// One start of a program, told apart from all others of this broker.
package struct LaunchIdentifier: Hashable, Sendable {
  package let number: UInt64
}

/// A program that is to be started, so that its process takes a session.
package struct LaunchRequest: Equatable, Sendable {
  package var identifier: LaunchIdentifier
  package var session: SessionIdentifier
  package var command: LaunchCommand
}

/// A session that waits for a process which is started for it.
struct Launch {
  /// Says in which order they came to wait.
  let number: UInt64
  /// What it is made from, if it is a new one that comes to be with the process.
  let decided: DecidedCreation?
  /// Why it is wanted, first of all, and how often a process was started for that.
  var bringing: Bringing
  /// Who wanted it first, for the story.
  var asker: Asker?
  /// Everybody who waits for the scene, and what is to be delivered to it.
  var arrivals: [Arrival] = []
  var deliveries = Deliveries()
  var stage = Stage.undecided

  enum Stage: Equatable {
    /// No process is there for it, and what comes next is decided before the event is over.
    /// → queued, starting, pausing
    case undecided
    /// Nobody knows yet what becomes of as many others of its kind as may be under way.
    /// → starting
    case queued
    /// Until the process shows its token. → ending, pausing, undecided
    case starting(LaunchIdentifier)
    /// The process has failed, and is waited for to be gone; nil if that tells what was the matter.
    /// → pausing
    case ending(LaunchIdentifier, problem: String?)
    /// Until the next start. → queued, starting
    case pausing
  }

  init(
    number: UInt64, _ bringing: Bringing, making decided: DecidedCreation?, by asker: Asker?
  ) {
    self.number = number
    self.decided = decided
    self.bringing = bringing
    self.asker = asker
  }

  /// The process that it depends on.
  var process: LaunchIdentifier? {
    switch stage {
    case .starting(let process), .ending(let process, _): process
    case .undecided, .queued, .pausing: nil
    }
  }

  /// What it is wanted for is delivered before all that came to that.
  mutating func deliverFirst(_ callbacks: [Callback]) {
    let number = deliveries.prepend(callbacks)
    if arrivals.first?.asker == asker { arrivals[0].delivery = number }
  }
}

/// The processes that the broker has started and that have not ended, and how earlier ones fared.
struct LaunchedPrograms {
  /// Programs that are one for the purpose of being started too often.
  struct Kind: Hashable {
    let role: Role
    let configuration: String
  }

  struct Program {
    /// What it was started for.
    let session: SessionIdentifier
    let kind: Kind
    let name: String
    var process: ClientProcess?
    /// What it will show.
    var token: String?
    /// On which it has shown it.
    var connection: ConnectionIdentifier?
    /// Whether it may still come to nothing.
    var isUndecided = true
    /// The sessions that it had when its connection ended, each with its hold.
    var lost: [(session: SessionIdentifier, hold: Int64)] = []
  }

  private(set) var running: [LaunchIdentifier: Program] = [:]
  private var failures: [Kind: [Failure]] = [:]
  private var lastNumber: UInt64 = 0
  /// Whether those that are queued may be able to go on.
  var hasDecided = false

  private struct Failure {
    let time: Int64
    let problem: String
  }

  subscript(launch: LaunchIdentifier) -> Program? { running[launch] }

  mutating func begin(_ program: Program) -> LaunchIdentifier {
    lastNumber += 1
    let launch = LaunchIdentifier(number: lastNumber)
    running[launch] = program
    return launch
  }

  mutating func change(_ launch: LaunchIdentifier, _ body: (inout Program) -> Void) {
    guard var program = running[launch] else { return }
    body(&program)
    running[launch] = program
  }

  /// It has come to something, or is given up.
  mutating func decide(_ launch: LaunchIdentifier) {
    change(launch) { $0.isUndecided = false }
    hasDecided = true
  }

  mutating func end(_ launch: LaunchIdentifier) -> Program? {
    hasDecided = true
    return running.removeValue(forKey: launch)
  }

  func launch(showing token: String) -> LaunchIdentifier? {
    running.first { $0.value.token == token }?.key
  }

  func undecidedCount(_ kind: Kind) -> Int {
    running.values.count { $0.kind == kind && $0.isUndecided }
  }

  // MARK: - What came to nothing

  mutating func noteFailure(_ kind: Kind, _ problem: String, at time: Int64, since start: Int64) {
    failures = failures.compactMapValues { list in
      let recent = list.filter { $0.time > start }
      return recent.isEmpty ? nil : recent
    }
    failures[kind, default: []].append(Failure(time: time, problem: problem))
    hasDecided = true
  }

  func failureCount(_ kind: Kind, since start: Int64) -> Int {
    failures[kind]?.count { $0.time > start } ?? 0
  }

  func lastProblem(_ kind: Kind) -> String? { failures[kind]?.last?.problem }
}
