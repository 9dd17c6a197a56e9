import SceneClient
import ScenePlatform
import SceneScript

/// A private broker for one test, with its clients and a temporary directory.
///
/// ```swift
/// try await withBroker { broker in
/// let packing = try await broker.client("packing")
/// try await packing.type(#"activity com.example.note {"line": 42}"#)
/// try await broker.expect("packing foregroundActive activity.userInfo.line=42")
/// }
/// ```
///
/// Each method runs on the broker's own thread, and **returns after all its effects**. A started
/// process has its scene, the broker has noticed the exit of a killed process, and every client has
/// received all messages. So a test needs no delays.
///
/// Processes and files are removed by ``withBroker(clock:options:ceiling:at:_:)``, by
/// ``finish(at:)``, or with the last reference to the broker. They are removed even if the
/// test's process is killed.
public actor TestBroker {
  /// A clock of a broker.
  public enum Clock: Sendable {
    /// The clock of the system.
    case real
    /// A clock that stands still until `scenectl("advance", "5s")`.
    case virtual
  }

  private let resources: TestResources
  private let ceiling: Duration

  /// The executor of the broker's own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    resources.thread.asUnownedSerialExecutor()
  }

  /// The temporary directory of the broker and its clients. Commands run in its subdirectory
  /// `work`.
  public nonisolated let directory: String
  /// The path of the broker's socket. Its clients find it in `$SCENE_SOCKET`.
  public nonisolated let socket: String

  /// Starts a broker.
  ///
  /// - Parameters:
  ///   - clock: the clock of the broker.
  ///   - options: more options of `scened`, such as `["--limit", "sessions=3"]`.
  ///   - ceiling: the timeout of each method, by default 60 s of the system's clock.
  ///   - location: the place in the test, for failures.
  /// - Throws: ``TestFailure`` if a program is missing or the broker does not start.
  public init(
    clock: Clock = .real, options: [String] = [], ceiling: Duration = .seconds(60),
    at location: SourceLocation = #_sourceLocation
  ) async throws(TestFailure) {
    let resources = try Self.resources(ceiling, location)
    self.resources = resources
    self.ceiling = ceiling
    directory = resources.environment.directory
    socket = resources.environment.socket
    let words = clock == .virtual ? ["--clock", "virtual"] : []
    try act(location) { (environment) throws(StepFailure) in
      try environment.startBroker(words + options)
    }
  }

  private static func resources(
    _ ceiling: Duration, _ location: SourceLocation
  ) throws(TestFailure) -> TestResources {
    do throws(StepFailure) {
      let programs = try Programs.directory()
      var variables = Environment.all
      variables["PATH"] = ([variables["PATH"] ?? "/usr/bin:/bin"] + Programs.buildDirectories)
        .joined(separator: ":")
      var settings = ScriptEnvironment.Settings(
        programs: programs, environment: variables,
        controlVerbs: .scenectl(program: programs + "/scenectl"))
      settings.lineTimeout = ceiling.nanoseconds
      return try TestResources(settings)
    } catch {
      throw TestFailure(error.message, location)
    }
  }

  // MARK: - Lines

  /// Runs an action, and waits for its effects.
  func act(
    _ location: SourceLocation, as role: ScriptVerb.Role = .acts, within ceiling: Duration? = nil,
    _ action: @Sendable (ScriptEnvironment) throws(StepFailure) -> Void
  ) throws(TestFailure) {
    try line(location, role, ceiling ?? self.ceiling, action)
  }

  /// Runs an action that changes nothing.
  func read<Seen: Sendable>(
    _ location: SourceLocation, _ looking: @Sendable (ScriptEnvironment) throws(StepFailure) -> Seen
  ) throws(TestFailure) -> Seen {
    var seen: Seen?
    try line(location, .reads, ceiling) { (environment) throws(StepFailure) in
      seen = try looking(environment)
    }
    guard let seen else { preconditionFailure("a look without a failure has a value") }
    return seen
  }

  private func line(
    _ location: SourceLocation, _ role: ScriptVerb.Role, _ ceiling: Duration,
    _ action: (ScriptEnvironment) throws(StepFailure) -> Void
  ) throws(TestFailure) {
    if resources.isTornDown { throw TestFailure("the test of this broker has ended", location) }
    let environment = resources.environment
    do throws(StepFailure) {
      try environment.line(role, timeout: ceiling.nanoseconds) { () throws(StepFailure) in
        try action(environment)
      }
      if role != .reads { try settleApplications() }
    } catch {
      throw TestFailure(error, on: environment, ceiling: ceiling, location)
    }
  }

  /// Waits until the broker has answered all requests of the test's own applications.
  private func settleApplications() throws(StepFailure) {
    let environment = resources.environment
    guard environment.hasBroker else { return }
    var before: Int
    repeat {
      before = environment.trace.count
      for application in resources.applications {
        let isAnswered = ConditionMutex(false)
        application.afterWhatWasAsked { isAnswered.withLock { $0 = true } }
        guard isAnswered.wait(until: environment.deadline, for: { $0 ? true : nil }) != nil else {
          throw .unrunnable("the broker did not answer an application of this process")
        }
      }
      if !resources.applications.isEmpty { try environment.settle() }
    } while environment.trace.count != before
  }

  func add(_ application: SceneApplication) { resources.add(application) }

  /// The output of the last control verb.
  var output: String { resources.environment.output }

  /// The last rows of the timeline.
  func lastRows() -> [String] { resources.environment.lastRows() }

  // MARK: - End

  /// Checks the invariants, ends all processes, and removes the directory. A second call has no
  /// effect.
  ///
  /// - Parameter location: the place in the test, for failures.
  /// - Throws: ``TestFailure`` if an invariant is violated, such as a lost save, an illegal
  ///   callback or a process that is still running.
  public func finish(
    at location: SourceLocation = #_sourceLocation
  ) async throws(TestFailure) {
    guard !resources.isTornDown else { return }
    for application in resources.applications {
      application.stop()
      for await _ in application.connectionStates {}
    }
    let violations = resources.environment.close()
    let rows = violations.isEmpty ? [] : resources.environment.lastRows()
    resources.tearDown()
    guard !violations.isEmpty else { return }
    let sentences = violations.prefix(5).flatMap(\.lines).joined(separator: "\n")
    throw TestFailure(
      "invariants were violated:\n\(sentences)", reason: "rule", timeline: rows,
      location)
  }

  /// Ends all processes without a check, and removes the directory.
  func cancel() { resources.tearDown() }
}

extension TestBroker {
  // MARK: - Actions

  /// Runs a verb of `scenectl`, such as `scenectl("discard", "packing")`. The verbs `activate`,
  /// `background` and `reclaim` move scenes, and `advance` moves the virtual clock.
  ///
  /// - Parameters:
  ///   - words: the verb, its options and its arguments.
  ///   - location: the place in the test, for failures.
  /// - Returns: The standard output.
  /// - Throws: ``TestFailure`` with the standard error; the reason is the name of the exit code,
  ///   such as `noSession`.
  @discardableResult
  public func scenectl(
    _ words: String..., at location: SourceLocation = #_sourceLocation
  ) throws(TestFailure) -> String {
    try act(location) { (environment) throws(StepFailure) in try environment.runControlVerb(words) }
    return output
  }

  /// Waits until nothing is in progress and every client has received all messages.
  ///
  /// Every other method that acts does this by itself. Call this after the test has acted on its
  /// own scenes.
  ///
  /// - Parameter location: the place in the test, for failures.
  /// - Throws: ``TestFailure`` at the timeout.
  public func settle(
    at location: SourceLocation = #_sourceLocation
  ) throws(TestFailure) {
    try act(location) { _ in }
  }

  // MARK: - Broker

  /// Kills the broker with SIGKILL. Its stored state stays, and its clients wait for the next
  /// broker.
  ///
  /// - Parameter location: the place in the test, for failures.
  /// - Throws: ``TestFailure`` if no broker runs.
  public func kill(at location: SourceLocation = #_sourceLocation) throws(TestFailure) {
    try act(location) { (environment) throws(StepFailure) in
      try environment.killBroker(.kill)
    }
  }

  /// Stops the broker with SIGTERM, and waits for its exit.
  ///
  /// - Parameter location: the place in the test, for failures.
  /// - Throws: ``TestFailure`` if no broker runs, or if its exit status is not 0.
  public func stop(at location: SourceLocation = #_sourceLocation) throws(TestFailure) {
    try act(location) { (environment) throws(StepFailure) in
      try environment.stopBroker()
    }
  }

  /// Starts the broker again, and waits until the waiting clients have reconnected.
  ///
  /// - Parameters:
  ///   - options: the options of `scened`; nil for those of the last start.
  ///   - location: the place in the test, for failures.
  /// - Throws: ``TestFailure`` if a broker runs already or does not start.
  public func start(
    options: [String]? = nil, at location: SourceLocation = #_sourceLocation
  ) throws(TestFailure) {
    try act(location) { (environment) throws(StepFailure) in
      try environment.startBroker(options ?? environment.brokerOptions)
    }
  }
}
