public import SceneClient
import SceneControl
import SceneModel
import SceneScript

extension TestBroker {
  // MARK: - Conditions

  /// Checks that conditions hold now, such as `packing foregroundActive title=Rome`.
  ///
  /// - Parameters:
  ///   - conditions: the conditions, in the syntax of `scenectl is`.
  ///   - location: the place in the test, for failures.
  /// - Throws: ``TestFailure`` with each condition and the actual values.
  public func expect(
    _ conditions: String..., at location: SourceLocation = #_sourceLocation
  ) throws(TestFailure) {
    let conditions = try Self.checked(conditions, location)
    try act(location, as: .reads) { (environment) throws(StepFailure) in
      try environment.expect(conditions)
    }
  }

  /// Waits until conditions hold together, as `scenectl wait` does.
  ///
  /// A method of the broker returns after its own effects. Use this for effects of a launched
  /// command or of a task.
  ///
  /// - Parameters:
  ///   - conditions: as for ``expect(_:at:)``.
  ///   - ceiling: the timeout; nil for the timeout of the broker, by default 60 s.
  ///   - location: the place in the test, for failures.
  /// - Throws: ``TestFailure`` at the timeout, with the actual values.
  public func wait(
    for conditions: String..., within ceiling: Duration? = nil,
    at location: SourceLocation = #_sourceLocation
  ) throws(TestFailure) {
    let conditions = try Self.checked(conditions, location)
    try act(location, as: .waits, within: ceiling) { (environment) throws(StepFailure) in
      try environment.wait(for: conditions)
    }
  }

  private static func checked(
    _ conditions: [String], _ location: SourceLocation
  ) throws(TestFailure) -> [Condition] {
    do throws(ConditionError) {
      return try ConditionArguments.conditions(conditions)
    } catch {
      throw TestFailure(error.description, location)
    }
  }

  // MARK: - Sessions

  /// Finds a session by name, identifier or prefix.
  ///
  /// - Parameters:
  ///   - word: the name, the identifier, or a unique prefix of the identifier.
  ///   - location: the place in the test, for failures.
  /// - Returns: The session; nil if there is none.
  /// - Throws: ``TestFailure`` if several identifiers have the prefix, or if no broker runs.
  public func session(
    _ word: String, at location: SourceLocation = #_sourceLocation
  ) throws(TestFailure) -> SceneSession? {
    try read(location) { (environment) throws(StepFailure) -> SceneSession? in
      try environment.find(word).map {
        SceneSession($0.details.sceneSession, withheld: $0.details.summary.withheld)
      }
    }
  }

  // MARK: - Trace

  /// Returns the trace since the start of the test, of all its brokers.
  ///
  /// - Parameters:
  ///   - session: the name of a session; nil for all entries.
  ///   - location: the place in the test, for failures.
  /// - Returns: The entries in order.
  /// - Throws: ``TestFailure`` if the test of this broker has ended.
  public func trace(
    of session: String? = nil, at location: SourceLocation = #_sourceLocation
  ) throws(TestFailure) -> [TraceLine] {
    try read(location) { environment in
      environment.fetchTrace()
      return environment.trace.filter { session == nil || $0.name == session }.map(TraceLine.init)
    }
  }
}

extension TestBroker {
  /// Starts an application in the test's own process, and connects it.
  ///
  /// The application stops with the broker. Each method of the broker waits until the application's
  /// delegates have returned, but not for tasks that they start.
  ///
  /// - Parameters:
  ///   - name: the name of the program, at most 1 KiB.
  ///   - delegates: the factories of scene delegates, as for `SceneApplication`.
  ///   - request: the session to connect; nil for none.
  ///   - location: the place in the test, for failures.
  /// - Returns: The running application.
  /// - Throws: ``TestFailure`` if the broker refuses the application or its scene.
  public func application(
    _ name: String, delegates: [String: SceneApplication.DelegateFactory],
    request: SceneRequest? = SceneRequest(), at location: SourceLocation = #_sourceLocation
  ) async throws(TestFailure) -> SceneApplication {
    let application = SceneApplication(name: name, delegates: delegates, socket: socket)
    add(application)
    do throws(SceneError) {
      try application.start()
      if let request { try await application.connectScene(request) }
    } catch {
      throw TestFailure(
        "\(name): \(error.message)", reason: error.name, timeline: lastRows(), location)
    }
    try act(location) { _ in }
    return application
  }
}
