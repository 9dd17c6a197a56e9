public import SceneClient
import ScenePlatform
import SceneScript

/// A command that a test launched beside its broker.
///
/// The command finds the broker in `$SCENE_SOCKET` and the programs in `$PATH`. It ends with its
/// broker.
public final class TestProcess: Sendable {
  let broker: TestBroker
  /// The command's first word.
  public let name: String
  private let child: PipedProcess
  /// The number of lines that `line(containing:)` has read.
  private let passed = ConditionMutex(0)

  fileprivate init(_ name: String, _ child: PipedProcess, _ broker: TestBroker) {
    self.broker = broker
    self.name = name
    self.child = child
  }

  private var process: ManagedProcess { child.process }
  /// The process identifier.
  public var pid: Int32 { process.pid }

  /// Writes a line to the standard input of the process.
  ///
  /// - Parameters:
  ///   - text: the line without a line break.
  ///   - location: the place in the test, for failures.
  /// - Throws: ``TestFailure`` if the process does not read its input.
  public func type(
    _ text: String, at location: SourceLocation = #_sourceLocation
  ) async throws(TestFailure) {
    try await broker.act(location) { (environment) throws(StepFailure) in
      let deadline = environment.deadline
      let isRead = try? child.input.write((text + "\n").utf8, until: deadline)
      if isRead != true { throw .unrunnable("\(name) does not read \"\(text)\"\(said)") }
    }
  }

  /// Closes the standard input of the process.
  public func closeInput() { child.input.close() }

  /// Waits for a line of output that contains a text, and skips the lines before it.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - location: the place in the test, for failures.
  /// - Returns: The line without its line break.
  /// - Throws: ``TestFailure`` with the actual output, at the end of the output or at the timeout.
  @discardableResult
  public func line(
    containing text: String, at location: SourceLocation = #_sourceLocation
  ) async throws(TestFailure) -> String {
    try await lines(upTo: text, at: location).last ?? ""
  }

  /// Waits for a line of output that contains a text. Returns that line and the lines before it.
  package func lines(
    upTo text: String, at location: SourceLocation = #_sourceLocation
  ) async throws(TestFailure) -> [String] {
    try await broker.read(location) { (environment) throws(StepFailure) in
      var lines: [String] = []
      while case .line(let bytes)? = child.output.line(at: pass(), until: environment.deadline) {
        lines.append(String(decoding: bytes, as: UTF8.self))
        if lines.last?.contains(text) == true { return lines }
      }
      // The standard error arrives on another pipe, so it can be late.
      child.errors.waitForEnd(
        until: min(environment.deadline, SystemClock.monotonic() + 1_000_000_000))
      throw .unrunnable("\(name) did not print \"\(text)\"\(said)")
    }
  }

  /// Returns the index of the next line, and counts the line as read.
  private func pass() -> Int {
    passed.withLock { passed in
      defer { passed += 1 }
      return passed
    }
  }

  private var said: String {
    let text = child.output.text + child.errors.text
    return text.isEmpty
      ? "; its output is empty"
      : "; its output:" + text.split(separator: "\n").suffix(20).map { "\n  " + $0 }.joined()
  }

  /// Waits for the exit of the process.
  ///
  /// - Parameter location: the place in the test, for failures.
  /// - Returns: The status, or the signal that ended the process.
  /// - Throws: ``TestFailure`` if the process still runs at the test's deadline.
  public func waitForEnd(
    at location: SourceLocation = #_sourceLocation
  ) async throws(TestFailure) -> Scene.ProcessExit {
    try await broker.read(location) { (environment) throws(StepFailure) in
      guard let end = process.waitForEnd(until: environment.deadline) else {
        throw .unrunnable("\(name) (process \(pid)) is still running\(said)")
      }
      return Scene.ProcessExit(end)
    }
  }

  /// Sends a signal, by default SIGKILL. After SIGKILL, waits for the exit.
  ///
  /// - Parameters:
  ///   - signal: the number of the signal.
  ///   - location: the place in the test, for failures.
  /// - Throws: ``TestFailure`` if the process has exited before.
  public func kill(
    _ signal: Int32 = 9, at location: SourceLocation = #_sourceLocation
  ) async throws(TestFailure) {
    try await broker.act(location) { [process] (environment) throws(StepFailure) in
      try step(process.send(Signal(rawValue: signal)))
      guard signal == Signal.kill.rawValue else { return }
      process.killAndWait()
      try environment.awaitDisconnect(of: process.pid)
    }
  }
}

extension TestBroker {
  /// Launches a command, such as `launch("python3", "client.py")`.
  ///
  /// Wait for its effects with ``TestProcess/line(containing:at:)`` or
  /// ``wait(for:within:at:)``.
  ///
  /// - Parameters:
  ///   - command: the path of the program, or a name in the build directory or in `$PATH`.
  ///   - words: the arguments.
  ///   - location: the place in the test, for failures.
  /// - Returns: The running process.
  /// - Throws: ``TestFailure`` if the program does not exist or cannot be started.
  public func launch(
    _ command: String, _ words: String..., at location: SourceLocation = #_sourceLocation
  ) throws(TestFailure) -> TestProcess {
    try launch(command, arguments: words, at: location)
  }

  package func launch(
    _ command: String, arguments words: [String], at location: SourceLocation = #_sourceLocation
  ) throws(TestFailure) -> TestProcess {
    let started = try read(location) { (environment) throws(StepFailure) in
      let path = try step(Executable.find(command, path: environment.variables["PATH"]))
      let child = try step(
        PipedProcess { (descriptors) throws(SystemError) in
          try environment.spawn(path, words, descriptors: descriptors)
        })
      return TestProcess(command, child, self)
    }
    try act(location) { _ in }
    return started
  }
}
