public import SceneClient
import SceneModel
import ScenePlatform
import SceneScript

/// A client of a test's broker: a process of the program `scene`. It ends with its broker.
public struct TestClient: Sendable {
  let broker: TestBroker
  /// The name of the client in the test, and of its session unless the options name another.
  public let name: String
  /// The process identifier.
  public let pid: Int32

  /// Types a line, such as `title Packing`, and waits for the answer and its effects.
  ///
  /// - Parameters:
  ///   - text: the line without a line break, at most 1 MiB as JSON.
  ///   - location: the place in the test, for failures.
  /// - Throws: ``TestFailure`` if the broker refuses the request of the line; the reason is the
  ///   name of the error, such as `tooLarge`.
  public func type(
    _ text: String, at location: SourceLocation = #_sourceLocation
  ) async throws(TestFailure) {
    try await broker.act(location) { [name] (environment) throws(StepFailure) in
      try environment.type(text, at: name)
    }
  }

  /// Sends a signal that ends the process, by default SIGKILL. Waits until the process has exited
  /// and the broker has noticed the exit.
  ///
  /// - Parameters:
  ///   - signal: the number of the signal.
  ///   - location: the place in the test, for failures.
  /// - Throws: ``TestFailure`` if the process has exited before, or does not exit.
  public func kill(
    _ signal: Int32 = 9, at location: SourceLocation = #_sourceLocation
  ) async throws(TestFailure) {
    try await broker.act(location) { [name] (environment) throws(StepFailure) in
      try environment.kill(name, Signal(rawValue: signal))
    }
  }

  // MARK: - Looking at it

  /// Checks the callbacks since the last action of the test, in order.
  ///
  /// Each line is `CALLBACK [PATH=VALUE]…`, or `...` for any callbacks. Lines with `~` match in any
  /// order.
  ///
  /// - Parameters:
  ///   - callbacks: the lines, such as `"didEnterBackground"`.
  ///   - location: the place in the test, for failures.
  /// - Throws: ``TestFailure`` with the differences.
  public func expectTrace(
    _ callbacks: String..., at location: SourceLocation = #_sourceLocation
  ) async throws(TestFailure) {
    try await broker.act(location, as: .reads) {
      [name] (environment) throws(StepFailure) in
      try environment.expectTrace(name, callbacks)
    }
  }

  /// Waits for the exit of the process.
  ///
  /// - Parameter location: the place in the test, for failures.
  /// - Returns: The status, or the signal that ended the process.
  /// - Throws: ``TestFailure`` if the process still runs at the test's deadline.
  public func waitForEnd(
    at location: SourceLocation = #_sourceLocation
  ) async throws(TestFailure) -> Scene.ProcessExit {
    try await broker.read(location) { [name] (environment) throws(StepFailure) in
      let process = try environment.client(name).process
      guard let end = process.waitForEnd(until: environment.deadline) else {
        throw .unrunnable("\(name) (process \(process.pid)) is still running")
      }
      return Scene.ProcessExit(end)
    }
  }
}

extension TestBroker {
  /// Starts the program `scene`, and waits until the broker has given it a scene.
  ///
  /// - Parameters:
  ///   - name: the name of the client, and of its session unless the options name another; at most
  ///     1 KiB.
  ///   - options: the name of the session, if it differs, and options of `scene`, such as
  ///     `"--background"`.
  ///   - location: the place in the test, for failures.
  /// - Returns: The client.
  /// - Throws: ``TestFailure`` if the broker refuses the client.
  @discardableResult
  public func client(
    _ name: String, _ options: String..., at location: SourceLocation = #_sourceLocation
  ) throws(TestFailure) -> TestClient {
    try act(location) { (environment) throws(StepFailure) in
      guard name.isPlainName else {
        throw .unrunnable("invalid client name \"\(name)\": \(String.plainNameRule)")
      }
      try environment.startClient(name, options)
    }
    let pid = try read(location) { (environment) throws(StepFailure) in
      try environment.client(name).process.pid
    }
    return TestClient(broker: self, name: name, pid: pid)
  }
}
