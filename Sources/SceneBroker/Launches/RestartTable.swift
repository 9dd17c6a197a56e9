import SceneModel

/// The crashes of launched programs that the manifest restarts.
///
/// A session has an entry from a crash until its scene ends in another way, or until a request
/// opens the session.
struct RestartTable {
  /// The number of restarts in a row.
  static let limit: Int64 = 10
  /// A scene that has crashed.
  struct Crash: Equatable {
    let target: ActivationState
    /// The process of the scene. It may run still.
    let launch: LaunchIdentifier
  }

  private enum State: Equatable {
    /// The pause runs until this time, in milliseconds since 1970.
    case pausing(until: Int64)
    /// The pause is over, and the crashed process has not ended.
    case ending
    case started
    /// Too many crashes in a row, or a program that cannot start.
    case stopped
  }

  private struct Entry {
    var count: Int64 = 0
    var crash: Crash
    var state = State.stopped
  }

  private var entries: [SessionIdentifier: Entry] = [:]

  /// A scene has crashed. Returns the pause before the restart; nil after too many crashes.
  mutating func crashed(
    _ session: SessionIdentifier, _ crash: Crash, hasRecovered: Bool, at time: Int64
  ) -> Interval? {
    var entry = Entry(count: hasRecovered ? 0 : entries[session]?.count ?? 0, crash: crash)
    defer { entries[session] = entry }
    guard entry.count < Self.limit else { return nil }
    entry.count += 1
    let pause = Interval.pause(afterFailures: entry.count)
    entry.state = .pausing(until: time + pause.nanoseconds / 1_000_000)
    return pause
  }

  /// The pause is over. Returns the crash.
  func due(_ session: SessionIdentifier) -> Crash? {
    guard case .pausing? = entries[session]?.state else { return nil }
    return entries[session]?.crash
  }

  /// The restart waits for the end of the crashed process.
  mutating func awaitEnd(_ session: SessionIdentifier) { entries[session]?.state = .ending }

  /// Returns the sessions whose restart waits for this process, in order.
  func awaitingEnd(of launch: LaunchIdentifier) -> [SessionIdentifier] {
    entries.filter { $0.value.state == .ending && $0.value.crash.launch == launch }.keys.sorted()
  }

  /// The session gets its next scene. Returns the crash of the last one.
  mutating func start(_ session: SessionIdentifier) -> Crash? {
    entries[session]?.state = .started
    return entries[session]?.crash
  }

  /// The program of the session cannot start.
  mutating func stop(_ session: SessionIdentifier) { entries[session]?.state = .stopped }

  /// Returns false if the session had no entry.
  mutating func remove(_ session: SessionIdentifier) -> Bool {
    entries.removeValue(forKey: session) != nil
  }

  /// The crash of a session whose restart is under way.
  func started(_ session: SessionIdentifier) -> (crash: Crash, count: Int64)? {
    guard let entry = entries[session], entry.state == .started else { return nil }
    return (entry.crash, entry.count)
  }

  /// The restarts of a session without a scene; nil if it had no crash, or starts now.
  func status(of session: SessionIdentifier) -> SessionRestart? {
    // Most applications have no entry, and lists ask about each session.
    guard !entries.isEmpty, let entry = entries[session] else { return nil }
    var status = SessionRestart()
    status.count = entry.count
    switch entry.state {
    case .pausing(let time): status.next = time
    case .stopped: break
    case .ending, .started: return nil
    }
    return status
  }

  /// Counts from one again. Returns the sessions that pause or have stopped, in order: their pause
  /// is over.
  mutating func beginAnew() -> [SessionIdentifier] {
    let idle = entries.keys.filter { status(of: $0) != nil }.sorted()
    for session in idle {
      entries[session]?.count = 1
      entries[session]?.state = .pausing(until: 0)
    }
    return idle
  }

  // MARK: - Upgrade

  /// The entries in the order of their sessions. A start that is under way begins again.
  func carried(_ isHeld: (SessionIdentifier) -> Bool) -> [CarriedState.CarriedRestart] {
    entries.sorted { $0.key < $1.key }.map { session, entry in
      var carried = CarriedState.CarriedRestart()
      (carried.session, carried.count) = (session, entry.count)
      (carried.target, carried.launch) = (entry.crash.target, Int64(entry.crash.launch.number))
      switch entry.state {
      case .pausing(let time): carried.next = time
      case .started where isHeld(session): carried.isStarted = true
      case .ending, .started: carried.next = 0
      case .stopped: break
      }
      return carried
    }
  }

  mutating func restore(_ restarts: [CarriedState.CarriedRestart]) {
    for carried in restarts {
      let crash = Crash(
        target: carried.target, launch: LaunchIdentifier(number: UInt64(carried.launch)))
      let state: State =
        carried.next.map { .pausing(until: $0) } ?? (carried.isStarted ? .started : .stopped)
      entries[carried.session] = Entry(count: carried.count, crash: crash, state: state)
    }
  }

  /// The pauses that run, with the end of each in milliseconds since 1970, in order.
  var pauses: [(session: SessionIdentifier, end: Int64)] {
    let pauses = entries.compactMap { session, entry in
      if case .pausing(let end) = entry.state { (session: session, end: end) } else { nil }
    }
    return pauses.sorted { $0.session < $1.session }
  }

  var sessions: some Collection<SessionIdentifier> { entries.keys }
}
