import SceneClient
import ScenePlatform
import SceneScript

/// A broker for one test, with a directory of its own, and everybody who is its client.
///
/// ```swift
/// try await withBroker { broker in
///   let packing = try await broker.client("packing")
///   try await packing.type(#"activity com.example.note {"line": 42}"#)
///   try await broker.expect("packing foregroundActive activity.userInfo.line=42")
/// }
/// ```
///
/// What is asked of it is done one after the other, on a thread of its own, and **is over when it
/// returns**: a process that was started has its scene, one that was killed is gone and the broker
/// knows, and everybody has been told what there was to tell. So a test needs no pauses.
///
/// Nothing of it is left when it ends: with ``withBroker(clock:options:ceiling:file:line:_:)``,
/// with ``finish(file:line:)``, or when nobody refers to it any more. When the test's process is
/// killed, processes and directory go as well.
public actor TestBroker {
  /// By what time goes.
  public enum Clock: Sendable {
    /// The machine's.
    case real
    /// It stands still until ``TestBroker/advance(by:file:line:)`` lets it go on.
    case virtual
  }

  private let company: TestStage
  private let ceiling: Duration

  /// A thread of its own.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    company.thread.asUnownedSerialExecutor()
  }

  /// The directory that is this broker's and its clients', and goes with it. Commands run in its
  /// `work`.
  public nonisolated let directory: String
  /// Where it listens: what its clients find in `$SCENE_SOCKET`.
  public nonisolated let socket: String

  /// Starts one.
  ///
  /// - Parameters:
  ///   - clock: by what time goes.
  ///   - options: more options of `scened`, such as `["--limit", "sessions=3"]`.
  ///   - ceiling: how long anything that is asked of it may take before it fails instead. It is for
  ///     what never comes; nothing takes so long.
  ///   - file: whose failure it is.
  ///   - line: where in the file.
  /// - Throws: ``TestFailure`` if the programs are not to be found, or the broker would not start.
  public init(
    clock: Clock = .real, options: [String] = [], ceiling: Duration = .seconds(60),
    file: StaticString = #filePath, line: UInt = #line
  ) async throws(TestFailure) {
    let place = TestPlace(file, line)
    let company = try Self.company(ceiling, place)
    self.company = company
    self.ceiling = ceiling
    directory = company.stage.directory
    socket = company.stage.socket
    let words = clock == .virtual ? ["--clock", "virtual"] : []
    try act(place) { (stage) throws(StepFailure) in try stage.startBroker(words + options) }
  }

  private static func company(
    _ ceiling: Duration, _ place: TestPlace
  ) throws(TestFailure) -> TestStage {
    let programs: String
    do throws(ProgramsError) {
      programs = try Programs.directory()
    } catch {
      throw TestFailure(error.description, place)
    }
    var settings = Stage.Settings(
      programs: programs, environment: Environment.all, hand: .program(programs + "/scenectl"))
    settings.ceiling = ceiling.nanoseconds
    do throws(StepFailure) {
      return try TestStage(settings)
    } catch {
      throw TestFailure(error.message, place)
    }
  }

  // MARK: - Doing things

  /// Does something, and returns when all that comes of it is over.
  func act(
    _ place: TestPlace, as role: ScriptVerb.Role = .acts, within ceiling: Duration? = nil,
    _ action: @Sendable (Stage) throws(StepFailure) -> Void
  ) throws(TestFailure) {
    try line(place, role, ceiling ?? self.ceiling, action)
  }

  /// Looks at something.
  func look<Seen: Sendable>(
    _ place: TestPlace, _ looking: @Sendable (Stage) throws(StepFailure) -> Seen
  ) throws(TestFailure) -> Seen {
    var seen: Seen?
    try line(place, .looks, ceiling) { (stage) throws(StepFailure) in seen = try looking(stage) }
    guard let seen else { preconditionFailure("looking has not failed, and seen nothing") }
    return seen
  }

  private func line(
    _ place: TestPlace, _ role: ScriptVerb.Role, _ ceiling: Duration,
    _ action: (Stage) throws(StepFailure) -> Void
  ) throws(TestFailure) {
    if company.isStruck { throw TestFailure("the broker's test is over", place) }
    let stage = company.stage
    do throws(StepFailure) {
      try stage.line(role, ceiling: ceiling.nanoseconds) { () throws(StepFailure) in
        try action(stage)
      }
      if role != .looks { try hearApplications() }
    } catch {
      throw TestFailure(error, on: stage, ceiling: ceiling, place)
    }
  }

  /// Returns when the applications of this process have asked for nothing that is not answered.
  private func hearApplications() throws(StepFailure) {
    let stage = company.stage
    guard stage.hasBroker else { return }
    var before: Int
    repeat {
      before = stage.story.count
      for application in company.applications {
        let isAnswered = Monitor(false)
        application.afterWhatWasAsked { isAnswered.withLock { $0 = true } }
        guard isAnswered.wait(until: stage.deadline, for: { $0 ? true : nil }) != nil else {
          throw .broken("an application of this process is not answered by the broker")
        }
      }
      if !company.applications.isEmpty { try stage.comeToRest() }
    } while stage.story.count != before
  }

  func add(_ application: SceneApplication) { company.add(application) }

  /// What the last thing that was done printed.
  var output: String { company.stage.output }

  /// What happened last.
  func lastRows() -> [String] { company.stage.lastRows() }

  // MARK: - Its end

  /// Ends it and everybody, and removes its directory. What must be so in every story, whatever a
  /// test does, is looked at before.
  ///
  /// - Throws: ``TestFailure`` if callbacks did not follow the line of life, if what was saved is
  ///   lost, if a process has left another behind, and so on.
  public func finish(
    file: StaticString = #filePath, line: UInt = #line
  ) async throws(TestFailure) {
    guard !company.isStruck else { return }
    for application in company.applications {
      application.stop()
      for await state in application.connectionState where state == .stopped { break }
    }
    let breaches = company.stage.close()
    let rows = breaches.isEmpty ? [] : company.stage.lastRows()
    company.strike()
    guard !breaches.isEmpty else { return }
    let sentences = breaches.prefix(5).flatMap(\.lines).joined(separator: "\n")
    throw TestFailure(
      "this must always be so, and is not:\n\(sentences)", reason: "rule", timeline: rows,
      TestPlace(file, line))
  }

  /// Ends it and everybody at once, and removes its directory.
  public func cancel() { company.strike() }
}

/// Starts a broker for a test, and ends it with everybody when the body has ended or has thrown.
///
/// When all went well, what must be so in every story is looked at, as by
/// ``TestBroker/finish(file:line:)``.
///
/// - Parameters:
///   - clock: by what time goes.
///   - options: more options of `scened`.
///   - ceiling: how long anything that is asked of the broker may take before it fails instead.
///   - file: whose failure it is.
///   - line: where in the file.
///   - body: the test.
/// - Returns: What the body returns.
/// - Throws: ``TestFailure``, and what the body throws.
public func withBroker<Outcome>(
  clock: TestBroker.Clock = .real, options: [String] = [], ceiling: Duration = .seconds(60),
  file: StaticString = #filePath, line: UInt = #line,
  _ body: (TestBroker) async throws -> Outcome
) async throws -> Outcome {
  let broker = try await TestBroker(
    clock: clock, options: options, ceiling: ceiling, file: file, line: line)
  let outcome: Outcome
  do {
    outcome = try await body(broker)
  } catch {
    await broker.cancel()
    throw error
  }
  try await broker.finish(file: file, line: line)
  return outcome
}

extension Duration {
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    // What is longer than thirty years is for ever.
    return max(0, min(seconds, 1_000_000_000)) * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
