package import ScenePlatform
import SceneScript

/// A process that a test started. The test reads its output by lines. The process ends with the
/// test.
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
    // If a program ends before it gets input, the test must report that, not a signal.
    Signal.ignoreBrokenPipes()
    var variables = Environment.all
    variables["SCENE_SOCKET"] = nil
    // The settings of the developer must not change a test.
    variables["SCENE_CONFIG"] = ""
    variables["SWIFT_BACKTRACE"] = "enable=no"
    for (name, value) in environment { variables[name] = value }
    let path = program.contains("/") ? program : try Programs.path(program)
    let child = try PipedProcess { [variables] (pipes) throws(SystemError) in
      try ManagedProcess(
        path, arguments, environment: variables, descriptors: descriptors.merging(pipes) { $1 },
        workingDirectory: workingDirectory)
    }
    process = child.process
    input = child.input
    output = LineSource(child.output, of: "\(program)'s output")
    errors = LineSource(child.errors, of: "\(program)'s errors")
  }

  deinit { process.killAndWait() }

  package var child: ChildProcess { process.child }

  // MARK: - Input and output

  package func type(_ line: String) throws {
    let deadline = SystemClock.monotonic() + ceiling
    guard try input.write((line + "\n").utf8, until: deadline) else {
      throw Unmet("\(name) does not read its input")
    }
  }

  package func closeInput() { input.close() }

  /// The next line of the output that meets the condition. Earlier lines are skipped.
  @discardableResult
  package func line(
    where satisfies: (String) -> Bool, what: String = "the line"
  ) throws -> String {
    while let line = try output.next() {
      if satisfies(line) { return line }
    }
    throw Unmet(
      "\(name) ended its output before \(what); output:\n\(output.said)\(try everythingOnErrors())"
    )
  }

  @discardableResult
  package func line(containing text: String) throws -> String {
    try line(where: { $0.contains(text) }, what: "\"\(text)\"")
  }

  /// The lines of the output up to the next line that contains `text`, with that line.
  package func lines(upTo text: String) throws -> [String] {
    var lines: [String] = []
    try line(
      where: {
        lines.append($0)
        return $0.contains(text)
      }, what: "\"\(text)\"")
    return lines
  }

  /// The next line of standard error that contains `text`.
  @discardableResult
  package func errorLine(containing text: String) throws -> String {
    while let line = try errors.next() {
      if line.contains(text) { return line }
    }
    throw Unmet("\(name) did not write \"\(text)\" to standard error:\n\(errors.said)")
  }

  /// The rest of the output.
  package func rest() throws -> String {
    var text = ""
    while let line = try output.next() { text += line + "\n" }
    return text
  }

  package func everythingOnErrors() throws -> String {
    while try errors.next() != nil {}
    return errors.said
  }

  // MARK: - End

  package func send(_ signal: Signal) throws { try process.send(signal) }

  /// Waits until the program ends.
  @discardableResult
  package func reap() throws -> ProcessEnd {
    guard let end = process.waitForEnd(until: SystemClock.monotonic() + ceiling) else {
      throw Unmet("\(name) does not end; output:\n\(output.said)\(errors.said)")
    }
    return end
  }

  /// Waits until a signal stops the program.
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

  /// Kills the program as `kill -9` does, and waits for its end.
  package func kill() throws {
    try send(.kill)
    try reap()
  }
}

/// The result of a program that ran to its end.
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
    try RunningProgram(
      program, arguments, environment: environment, workingDirectory: workingDirectory
    ).finish()
  }

  /// Closes the input, and waits until the program ends.
  package func finish() throws -> Outcome {
    closeInput()
    let output = try rest()
    let errors = try everythingOnErrors()
    return Outcome(end: try reap(), output: output, errors: errors)
  }
}
