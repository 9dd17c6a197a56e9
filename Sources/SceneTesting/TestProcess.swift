import ScenePlatform
import SceneScript

/// Any command that a test has started beside its broker. It finds the broker in `$SCENE_SOCKET`,
/// and the programs in `$PATH`.
///
/// It ends with its broker.
public final class TestProcess: Sendable {
  let broker: TestBroker
  /// The command's first word.
  public let name: String
  private let process: StagedProcess
  private let output: SaidLines
  private let errors: SaidLines
  private let input: ProcessInput
  /// How many lines of its output the test has passed.
  private let passed = Monitor(0)

  fileprivate init(
    _ name: String, _ process: StagedProcess, _ pipes: ProcessPipes, _ broker: TestBroker
  ) throws(SystemError) {
    self.broker = broker
    self.name = name
    self.process = process
    (input, output, errors) = try pipes.ours()
  }

  /// Its process.
  public var pid: Int32 { process.pid }

  /// Writes a line to its standard input.
  public func type(
    _ text: String, file: StaticString = #filePath, line: UInt = #line
  ) async throws(TestFailure) {
    try await broker.act(TestPlace(file, line)) { (stage) throws(StepFailure) in
      let deadline = stage.deadline
      let isRead = try? input.write((text + "\n").utf8, until: deadline)
      if isRead != true { throw .broken("\(name) does not read \"\(text)\"\(said)") }
    }
  }

  /// Ends its standard input.
  public func closeInput() { input.close() }

  /// Waits for a line of its output with this text on it; those before it are passed over.
  ///
  /// - Throws: ``TestFailure`` with what it said instead, if its output ends or the ceiling comes.
  @discardableResult
  public func line(
    containing text: String, file: StaticString = #filePath, line: UInt = #line
  ) async throws(TestFailure) -> String {
    try await broker.look(TestPlace(file, line)) { (stage) throws(StepFailure) in
      while case .line(let bytes)? = output.line(at: pass(), until: stage.deadline) {
        let said = String(decoding: bytes, as: UTF8.self)
        if said.contains(text) { return said }
      }
      // What it complained of comes on another pipe.
      errors.waitForEnd(until: min(stage.deadline, SystemClock.monotonic() + 1_000_000_000))
      throw .broken("\(name) did not say \"\(text)\"\(said)")
    }
  }

  /// Takes note that a line has been passed; which.
  private func pass() -> Int {
    passed.withLock { passed in
      defer { passed += 1 }
      return passed
    }
  }

  private var said: String {
    let text = output.text + errors.text
    return text.isEmpty
      ? "; it said nothing"
      : "; it said:" + text.split(separator: "\n").suffix(20).map { "\n  " + $0 }.joined()
  }

  /// Waits for its end.
  public func waitForEnd(
    file: StaticString = #filePath, line: UInt = #line
  ) async throws(TestFailure) -> ProcessExit {
    try await broker.look(TestPlace(file, line)) { (stage) throws(StepFailure) in
      guard let end = process.waitForEnd(until: stage.deadline) else {
        throw .broken("\(name) (process \(pid)) still runs\(said)")
      }
      return ProcessExit(end)
    }
  }

  /// Sends it a signal, by its number: SIGKILL, if no other is named. With that it returns when the
  /// process is gone.
  public func kill(
    _ signal: Int32 = 9, file: StaticString = #filePath, line: UInt = #line
  ) async throws(TestFailure) {
    try await broker.act(TestPlace(file, line)) { [process] (stage) throws(StepFailure) in
      do throws(SystemError) {
        try process.send(Signal(rawValue: signal))
      } catch {
        throw StepFailure(error)
      }
      guard signal == Signal.kill.rawValue else { return }
      process.finishOff()
      try stage.awaitLeave(of: process.pid)
    }
  }
}

extension TestBroker {
  /// Starts a command, such as `launch("python3", "client.py")`. What it has come to is asked of it
  /// with ``TestProcess/line(containing:file:line:)``, or of the broker with
  /// ``wait(for:within:file:line:)``.
  public func launch(
    _ command: String, _ words: String..., file: StaticString = #filePath, line: UInt = #line
  ) throws(TestFailure) -> TestProcess {
    let place = TestPlace(file, line)
    let started = try look(place) { (stage) throws(StepFailure) in
      do throws(SystemError) {
        let pipes = try ProcessPipes()
        let process = try stage.spawn(
          try Executable.find(command, path: stage.environment["PATH"]), words,
          descriptors: pipes.theirs)
        return try TestProcess(command, process, pipes, self)
      } catch {
        throw StepFailure(error)
      }
    }
    try act(place) { _ in }
    return started
  }
}
