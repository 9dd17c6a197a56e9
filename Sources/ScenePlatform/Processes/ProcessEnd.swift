/// How a process ended.
package enum ProcessEnd: Equatable, Sendable {
  case exited(Int32)
  case signalled(Signal)

  /// Decodes a status of `waitpid`; nil if the process was stopped or continued.
  init?(waitStatus status: Int32) {
    let signal = status & 0x7F
    if signal == 0 {
      self = .exited(status >> 8 & 0xFF)
    } else if signal != 0x7F {
      self = .signalled(Signal(rawValue: signal))
    } else {
      return nil
    }
  }

  /// The signal that ended the process; nil if it exited.
  package var signal: Signal? {
    switch self {
    case .exited: nil
    case .signalled(let signal): signal
    }
  }

  package var isSuccess: Bool { self == .exited(0) }

  /// The exit status of a shell: the code, or 128 + the signal's number.
  package var shellCode: Int32 {
    switch self {
    case .exited(let code): code
    case .signalled(let signal): 128 + signal.rawValue
    }
  }
}

extension ProcessEnd: CustomStringConvertible {
  package var description: String {
    switch self {
    case .exited(let code): "exited with status \(code)"
    case .signalled(let signal): "ended by \(signal)"
    }
  }
}
