import SceneModel

/// Programs that share one start limit.
struct LaunchKind: Hashable {
  let role: Role
  let configuration: String
}

/// A process that the broker has started.
struct ProcessEntry {
  /// The session that the broker started the process for.
  let session: SessionIdentifier
  let kind: LaunchKind
  let name: String
  /// By the monotonic clock.
  let start: Int64
  /// Nil until the event loop has started the process.
  var process: ClientProcess?
  var token: String?
  /// The connection that has shown the token.
  var connection: ConnectionIdentifier?
  /// Whether the start may still fail.
  var isStarting = true
  /// The sessions that the process held when its connection closed, each with its hold.
  var heldAtClose: [(session: SessionIdentifier, hold: Int64)] = []

  var reference: ClientReference { ClientReference(name: name, pid: process?.pid ?? 0) }
}

/// The processes that the broker has started and that have not ended, and the recent failures.
struct ProcessTable {
  private(set) var running: [LaunchIdentifier: ProcessEntry] = [:]
  private var failures: [LaunchKind: [Failure]] = [:]
  private var lastNumber: UInt64 = 0

  private struct Failure {
    let time: Int64
    let problem: String
  }

  subscript(launch: LaunchIdentifier) -> ProcessEntry? { running[launch] }

  mutating func add(_ process: ProcessEntry) -> LaunchIdentifier {
    lastNumber += 1
    let launch = LaunchIdentifier(number: lastNumber)
    running[launch] = process
    return launch
  }

  /// Adds a process that the program before this one has started.
  mutating func restore(_ process: ProcessEntry, as launch: LaunchIdentifier) {
    lastNumber = max(lastNumber, launch.number)
    running[launch] = process
  }

  mutating func modify(_ launch: LaunchIdentifier, _ change: (inout ProcessEntry) -> Void) {
    guard let index = running.index(forKey: launch) else { return }
    change(&running.values[index])
  }

  mutating func remove(_ launch: LaunchIdentifier) -> ProcessEntry? {
    running.removeValue(forKey: launch)
  }

  func process(
    showing token: String
  ) -> (launch: LaunchIdentifier, process: ProcessEntry)? {
    running.first { $0.value.token == token }.map { ($0.key, $0.value) }
  }

  func startingCount(_ kind: LaunchKind) -> Int {
    running.values.count { $0.kind == kind && $0.isStarting }
  }

  // MARK: - Failures

  /// Adds a failure, and drops those before `start`.
  mutating func addFailure(
    _ kind: LaunchKind, _ problem: String, at time: Int64, since start: Int64
  ) {
    failures = failures.compactMapValues { list in
      let recent = list.filter { $0.time > start }
      return recent.isEmpty ? nil : recent
    }
    failures[kind, default: []].append(Failure(time: time, problem: problem))
  }

  func failureCount(_ kind: LaunchKind, since start: Int64) -> Int {
    failures[kind]?.count { $0.time > start } ?? 0
  }

  /// The time of the failure that is `count` failures before the next one, if it is after `start`.
  func failure(_ kind: LaunchKind, before count: Int, since start: Int64) -> Int64? {
    let times = failures[kind]?.map(\.time) ?? []
    return times.count < count || times[times.count - count] <= start
      ? nil : times[times.count - count]
  }

  /// The programs may start again now.
  mutating func forgetFailures() { failures = [:] }

  func lastProblem(_ kind: LaunchKind) -> String? { failures[kind]?.last?.problem }
}
