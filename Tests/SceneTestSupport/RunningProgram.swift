package import ScenePlatform
import SceneScript

/// A process that a test started: its output is read line by line, and it never outlives the test.
package final class RunningProgram {
  package let name: String
  private let process: ManagedProcess
  private let input: ProcessInput
  private var output: LineSource
  private var errors: LineSource

  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    descriptors: [Int32: Int32] = [:], workingDirectory: String? = nil
  ) throws {
    name = program
    // A program that has ended before it was spoken to is for the test to tell.
    Signal.ignoreBrokenPipes()
    let pipes = try ProcessPipes()
    var variables = Environment.all
    variables["SCENE_SOCKET"] = nil
    variables["SWIFT_BACKTRACE"] = "enable=no"
    for (name, value) in environment { variables[name] = value }
    process = try ManagedProcess(
      program.contains("/") ? program : try Programs.path(program), arguments,
      environment: variables, descriptors: descriptors.merging(pipes.childEnds) { $1 },
      workingDirectory: workingDirectory)
    let ends = try pipes.takeParentEnds()
    input = ends.input
    output = LineSource(ends.output, of: "\(program)'s output")
    errors = LineSource(ends.errors, of: "\(program)'s errors")
  }

  deinit { process.killAndWait() }

  package var child: ChildProcess { process.child }

  // MARK: - Talking to it

  package func type(_ line: String) throws {
    let deadline = SystemClock.monotonic() + ceiling
    guard try input.write((line + "\n").utf8, until: deadline) else {
      throw Unmet("\(name) does not read its input")
    }
  }

  package func closeInput() { input.close() }

  /// The next line of its output that satisfies; those before it are passed over.
  @discardableResult
  package func line(
    where satisfies: (String) -> Bool, what: String = "the line"
  ) throws -> String {
    while let line = try output.next() {
      if satisfies(line) { return line }
    }
    throw Unmet(
      "\(name) ended its output before \(what); it said:\n\(output.said)\(try everythingOnErrors())"
    )
  }

  @discardableResult
  package func line(containing text: String) throws -> String {
    try line(where: { $0.contains(text) }, what: "\"\(text)\"")
  }

  /// The lines of its output up to the next that contains a text, that one included.
  package func lines(upTo text: String) throws -> [String] {
    var lines: [String] = []
    try line(
      where: {
        lines.append($0)
        return $0.contains(text)
      }, what: "\"\(text)\"")
    return lines
  }

  /// The next line of its errors that contains a text.
  @discardableResult
  package func errorLine(containing text: String) throws -> String {
    while let line = try errors.next() {
      if line.contains(text) { return line }
    }
    throw Unmet("\(name) never said \"\(text)\" on its errors:\n\(errors.said)")
  }

  /// Whether a line of its output that contains a text comes before its end.
  package func says(_ text: String) throws -> Bool {
    while let line = try output.next() {
      if line.contains(text) { return true }
    }
    return false
  }

  /// The rest of its output, up to its end.
  package func rest() throws -> String {
    var text = ""
    while let line = try output.next() { text += line + "\n" }
    return text
  }

  package func everythingOnErrors() throws -> String {
    while try errors.next() != nil {}
    return errors.said
  }

  // MARK: - Its end

  package func send(_ signal: Signal) throws { try process.send(signal) }

  /// Waits for its end.
  @discardableResult
  package func reap() throws -> ProcessEnd {
    guard let end = process.waitForEnd(until: SystemClock.monotonic() + ceiling) else {
      throw Unmet("\(name) does not end; it said:\n\(output.said)\(errors.said)")
    }
    return end
  }

  /// Waits until a signal has stopped it.
  package func awaitStop() throws {
    let (child, hasStopped) = (child, ConditionMutex(false))
    _ = try Thread("stop of \(child.pid)") {
      try? child.awaitStop()
      hasStopped.withLock { $0 = true }
    }
    let deadline = SystemClock.monotonic() + ceiling
    guard hasStopped.wait(until: deadline, for: { $0 ? true : nil }) != nil else {
      throw Unmet("\(name) does not stop")
    }
  }

  /// Kills it as `kill -9` does, and waits until it is gone.
  package func kill() throws {
    try send(.kill)
    try reap()
  }
}

/// What a program leaves behind when it is run to its end.
package struct Outcome {
  package let end: ProcessEnd
  package let output: String
  package let errors: String

  package var code: Int32 { end.shellCode }
}

extension RunningProgram {
  /// Runs a program to its end.
  package static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:],
    workingDirectory: String? = nil
  ) throws -> Outcome {
    let running = try RunningProgram(
      program, arguments, environment: environment, workingDirectory: workingDirectory)
    running.closeInput()
    let output = try running.rest()
    let errors = try running.everythingOnErrors()
    return Outcome(end: try running.reap(), output: output, errors: errors)
  }
}
