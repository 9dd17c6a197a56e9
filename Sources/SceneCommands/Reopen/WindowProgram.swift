import SceneCommandLine
import SceneJSON
import ScenePlatform

/// The process that a terminal runs for ``TerminalWindow``. It starts the program and waits for it.
enum WindowProgram {
  /// The properties of the program that a terminal does not pass on: its directory, and variables.
  struct Surroundings {
    let directory: String
    let variables: [String: String]

    /// Those of this process. `SCENE_OPENER` concerns only the opener.
    init(directory: String, environment: [String: String]) {
      self.directory = directory
      variables = environment.filter { $0.key.hasPrefix("SCENE_") && $0.key != Opener.variable }
    }

    var text: String {
      let members = JSONWriter.object { writer in
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
          writer.member(name, value)
        }
      }
      let text = JSONWriter.object { writer in
        writer.member("directory", directory)
        writer.member("variables", members)
      }
      return text.description
    }

    fileprivate init?(reading bytes: ContiguousArray<UInt8>) {
      guard let document = JSONDocument(reading: bytes),
        let directory = document.root["directory"]?.string,
        let members = document.root["variables"]?.members
      else { return nil }
      self.directory = directory
      var variables: [String: String] = [:]
      for member in members {
        guard let name = member.name.string, let value = member.value.string else { return nil }
        variables[name] = value
      }
      self.variables = variables
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
      guard let surroundings = Surroundings(reading: try connection.readToEnd(limit: 1 << 20))
      else { throw SystemError(call: "read", path: socket, code: .notASocket) }
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
      var changes: [String: String?] = surroundings.variables.mapValues { $0 }
      changes["PWD"] = surroundings.directory
      Signal.restoreChildEnds()
      let signals = try SignalSource(Self.signals)
      let child = try ChildProcess.spawn(
        path, Array(words.dropFirst()), name: words[0], changing: changes,
        workingDirectory: surroundings.directory, death: .hangup, keepsIgnored: true)
      while true {
        if let end = child.reapIfEnded() { return .ended(end) }
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
      return .notStarted(reason: error.description, isMissing: error.isNotFound)
    }
  }
}

/// The end of a program in a window, which its process sends to the verb.
enum WindowReport {
  case ended(ProcessEnd)
  case notStarted(reason: String, isMissing: Bool)

  var text: String {
    switch self {
    case .ended(.exited(let status)): "status \(status)"
    case .ended(.signalled(let signal)): "signal \(signal.rawValue)"
    case .notStarted(let reason, let isMissing): (isMissing ? "missing " : "bad ") + reason
    }
  }

  /// Nil for an incomplete text: the process was killed.
  init?(_ text: String) {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    switch parts[0] {
    case "status":
      guard let status = Int32(parts[1]) else { return nil }
      self = .ended(.exited(status))
    case "signal":
      guard let number = Int32(parts[1]) else { return nil }
      self = .ended(.signalled(Signal(rawValue: number)))
    case "missing": self = .notStarted(reason: String(parts[1]), isMissing: true)
    case "bad": self = .notStarted(reason: String(parts[1]), isMissing: false)
    default: return nil
    }
  }
}
