import SceneModel
import ScenePlatform
import SceneScript

/// A client of a test's broker: the program `scene`, in a process of its own.
///
/// It ends with its broker.
public struct TestClient: Sendable {
  let broker: TestBroker
  /// What the test calls it; its session is called so, too, unless it was given another.
  public let name: String
  /// Its process.
  public let pid: Int32

  /// Types a line at it, as a person would, such as `title Packing`. It returns when that is
  /// answered, and all that comes of it is over.
  public func type(
    _ text: String, file: StaticString = #filePath, line: UInt = #line
  ) async throws(TestFailure) {
    try await broker.act(TestPlace(file, line)) { [name] (stage) throws(StepFailure) in
      try stage.type(text, at: name)
    }
  }

  /// Lets it answer no callback any more, or not the one of this name.
  public func hang(
    in callback: String? = nil, file: StaticString = #filePath, line: UInt = #line
  ) async throws(TestFailure) {
    try await type(
      ["hang", callback].compactMap { $0 }.joined(separator: " "), file: file, line: line)
  }

  /// Sends it a signal that ends it, by its number: SIGKILL, if no other is named. It returns when
  /// it is gone and the broker knows.
  public func kill(
    _ signal: Int32 = 9, file: StaticString = #filePath, line: UInt = #line
  ) async throws(TestFailure) {
    try await broker.act(TestPlace(file, line)) { [name] (stage) throws(StepFailure) in
      try stage.kill(name, Signal(rawValue: signal))
    }
  }

  /// Stops its process: it answers nothing until it is thawed.
  public func freeze(
    file: StaticString = #filePath, line: UInt = #line
  ) async throws(TestFailure) {
    try await broker.act(TestPlace(file, line)) { [name] (stage) throws(StepFailure) in
      try stage.freeze(name)
    }
  }

  /// Lets its process go on.
  public func thaw(
    file: StaticString = #filePath, line: UInt = #line
  ) async throws(TestFailure) {
    try await broker.act(TestPlace(file, line)) { [name] (stage) throws(StepFailure) in
      try stage.thaw(name)
    }
  }

  // MARK: - Looking at it

  /// It was called exactly like this since the last thing that the test did: `CALLBACK
  /// [PATH=VALUE]…` each, `...` for whatever comes there, and `~` before those that come in any
  /// order.
  ///
  /// - Throws: ``TestFailure`` with the difference.
  public func expectTrace(
    _ callbacks: String..., file: StaticString = #filePath, line: UInt = #line
  ) async throws(TestFailure) {
    try await broker.act(TestPlace(file, line), as: .looks) {
      [name] (stage) throws(StepFailure) in
      try stage.expectTrace(name, callbacks)
    }
  }

  /// Waits for its end.
  public func waitForEnd(
    file: StaticString = #filePath, line: UInt = #line
  ) async throws(TestFailure) -> ProcessExit {
    try await broker.look(TestPlace(file, line)) { [name] (stage) throws(StepFailure) in
      let process = try stage.player(name).process
      guard let end = process.waitForEnd(until: stage.deadline) else {
        throw .broken("\(name) (process \(process.pid)) still runs")
      }
      return ProcessExit(end)
    }
  }
}

/// How a process ended.
public enum ProcessExit: Hashable, Sendable {
  /// By itself, with this status.
  case exited(Int32)
  /// By the signal of this number.
  case signalled(Int32)
}

extension ProcessExit {
  init(_ end: ProcessEnd) {
    switch end {
    case .exited(let status): self = .exited(status)
    case .signalled(let signal): self = .signalled(signal.rawValue)
    }
  }
}

extension TestBroker {
  /// Starts the program `scene`. It returns when the broker has given it a scene.
  ///
  /// - Parameters:
  ///   - name: what the test calls it, and its session unless the options name one.
  ///   - options: the session's name, if it is another, and options of `scene`, such as
  ///     `"--background"`.
  ///   - file: whose failure it is.
  ///   - line: where in the file.
  /// - Returns: The client, for what is to be done with it.
  /// - Throws: ``TestFailure`` if it was refused.
  @discardableResult
  public func client(
    _ name: String, _ options: String..., file: StaticString = #filePath, line: UInt = #line
  ) throws(TestFailure) -> TestClient {
    let place = TestPlace(file, line)
    try act(place) { (stage) throws(StepFailure) in
      guard name.isPlainName else { throw .broken("a client cannot be called \"\(name)\"") }
      try stage.startClient(name, options)
    }
    let pid = try look(place) { (stage) throws(StepFailure) in try stage.player(name).process.pid }
    return TestClient(broker: self, name: name, pid: pid)
  }
}
