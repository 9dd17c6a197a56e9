package import ScenePlatform

/// The error that ends a program or one of its verbs.
package struct ProgramError: Error, Equatable, Sendable {
  package var code: ExitCode
  /// What failed, why, and what to do. The message can have several lines.
  package var message: String
  /// The program and the verb of a usage error; nil for the program alone. It precedes the message.
  package var command: String?
  /// The error that the broker sent, if it is the broker's.
  package var reply: Reply?

  /// An error as the broker sent it.
  package struct Reply: Equatable, Sendable {
    /// The stable name of the error.
    package var reason: String
    package var json: String

    package init(reason: String, json: String) {
      self.reason = reason
      self.json = json
    }
  }

  package init(_ code: ExitCode, _ message: String, reply: Reply? = nil) {
    self.code = code
    self.message = message
    self.reply = reply
  }
}

extension ProgramError {
  /// The error of a client or a tool. Not for the server, whose exit codes differ.
  package init(_ error: any Error) {
    switch error {
    case let error as ProgramError: self = error
    case let error as UsageError:
      self.init(.usage, "\(error.message)\n\(error.hint)")
      command = error.command
    case let error as SystemError: self.init(error)
    case let error as EnvironmentError: self.init(error)
    default: self.init(.fault, "\(error)")
    }
  }

  /// The error of a system call of a client or a tool.
  package init(_ error: SystemError) {
    self.init(ExitCode(for: error), error.description)
  }

  package init(_ error: EnvironmentError) {
    let code: ExitCode =
      switch error {
      case .applicationName: .usage
      case .illFormedVariable, .noHome, .settings, .noArguments: .badConfiguration
      }
    self.init(code, error.description)
  }

  /// The stable name: the broker's, or else that of the exit code.
  package var reason: String { reply?.reason ?? code.reason }
}

extension ExitCode {
  package init(for error: SystemError) {
    if error.isDenied {
      self = .notAllowed
    } else if error.isNotFound {
      self = .noSession
    } else if error.code == .nameTooLong || error.code == .invalidArgument {
      self = .usage
    } else {
      self = .inputOutput
    }
  }
}
