import SceneCommandLine
import SceneJSON
import SceneModel
import ScenePlatform

/// The process that a terminal runs for ``TerminalWindow``. It starts the program and waits for it.
enum WindowProgram {
  /// The properties of the program that a terminal does not pass on: its directory, and variables.
  struct Surroundings: JSONStructure {
    private(set) var directory = ""
    /// As NAME=VALUE.
    private var variables: [String] = []

    init() {}

    /// Those of this process. `SCENE_OPENER` concerns only the opener.
    init(directory: String, environment: [String: String]) {
      self.directory = directory
      variables = environment.filter { $0.key.hasPrefix("SCENE_") && $0.key != Opener.variable }
        .map { "\($0)=\($1)" }
    }

    mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.required("directory", &directory)
      try visitor.required("variables", &variables)
    }

    fileprivate var changes: [String: String?] {
      var changes: [String: String?] = ["PWD": directory]
      for variable in variables {
        let name = variable.prefix { $0 != "=" }
        changes[String(name)] = String(variable.dropFirst(name.count + 1))
      }
      return changes
    }
  }

  private static let signals: [Signal] = [
    .interrupt, .quit, .terminate, .hangup, .terminalStop, .child,
  ]

  /// Runs the program, and sends its end to the verb.
  static func run(
    _ words: [String], connectedTo socket: String
  ) throws -> WindowReport {
    do throws(SystemError) {
      let connection = try UnixSocket.connect(to: socket)
      let document = JSONDocument(reading: try connection.readToEnd(limit: 1 << 20))
      guard let document, let surroundings = try? Surroundings(reading: document.root) else {
        throw SystemError(call: "read", path: socket, code: .notASocket)
      }
      let report = run(words, surroundings)
      try connection.write(report.text)
      return report
    } catch {
      throw ProgramError(.failure, PlainText.escaped(error.description))
    }
  }

  private static func run(_ words: [String], _ surroundings: Surroundings) -> WindowReport {
    do throws(SystemError) {
      let path = try Executable.path(of: words, in: surroundings.directory)
      Signal.restoreChildEnds()
      let signals = try SignalSource(Self.signals)
      let child = try ChildProcess.spawn(
        path, Array(words.dropFirst()), name: words[0], changing: surroundings.changes,
        workingDirectory: surroundings.directory, death: .hangup, keepsIgnored: true)
      while true {
        if let end = child.reapIfEnded() { return WindowReport(end: end) }
        _ = try signals.wait()
        guard let delivery = try signals.nextDelivery(), !delivery.isFromKeyboard,
          delivery.signal != .child
        else { continue }
        // The kernel sends SIGHUP of a closed terminal only to this process, the session leader.
        // The rest of the foreground group gets SIGHUP when this process ends.
        try? child.send(delivery.signal)
        if delivery.signal == .hangup { try? child.send(.continue) }
      }
    } catch {
      let code: ExitCode = error.isNotFound ? .noCommand : .badCommand
      return WindowReport(end: .exited(code.rawValue), problem: error.description)
    }
  }
}

/// The end of a program in a window, which its process sends to the verb.
struct WindowReport {
  let end: ProcessEnd
  /// Why the program did not start; its end then has the exit status of a shell.
  var problem: String?

  /// Throws if the program did not start.
  func programEnd() throws -> ProcessEnd {
    guard let problem else { return end }
    throw ProgramError(
      ExitCode(rawValue: end.shellCode) ?? .badCommand, PlainText.escaped(problem))
  }

  /// The exit status or the negative signal, and the problem.
  var text: String {
    "\(end.signal.map { -$0.rawValue } ?? end.shellCode) \(problem ?? "")"
  }
}

extension WindowReport {
  /// Nil for an incomplete text: the process was killed.
  init?(_ text: String) {
    guard let space = text.firstIndex(of: " "), let number = Int32(text[..<space]) else {
      return nil
    }
    end = number < 0 ? .signalled(Signal(rawValue: -number)) : .exited(number)
    let rest = text[space...].dropFirst()
    problem = rest.isEmpty ? nil : String(rest)
  }
}
