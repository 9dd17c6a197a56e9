import SceneCommandLine
package import ScenePlatform

extension ProcessEnd {
  /// The predicate of a sentence about the process, such as "exited with status 1".
  package var phrase: String {
    switch self {
    case .exited(let code): "exited with status \(code)"
    case .signalled(let signal): "was terminated by \(signal)"
    }
  }

  /// ``phrase`` and the expected status or signal.
  func phrase(expected: ProcessEnd) -> String {
    switch expected {
    case .exited(let code): "\(phrase), expected status \(code)"
    case .signalled(let signal): "\(phrase), expected \(signal)"
    }
  }

  /// Whether a program of this project rejected its command line.
  var isUsageError: Bool { self == .exited(ExitCode.usage.rawValue) }

  /// The name of this end in `expect process` and `error`.
  var reason: String {
    switch self {
    case .exited(let code): "exit=\(code)"
    case .signalled(let signal): "signal=\(signal.name)"
    }
  }
}
