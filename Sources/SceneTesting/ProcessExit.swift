import ScenePlatform
import SceneScript

/// The end of a process.
public enum ProcessExit: Hashable, Sendable {
  /// The process exited with this status.
  case exited(Int32)
  /// A signal with this number terminated the process.
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
