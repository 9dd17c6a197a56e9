package import ScenePlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension File {
  package static func setMode(_ path: String, _ mode: UInt32) throws {
    guard chmod(path, mode_t(mode)) == 0 else {
      throw Unmet("cannot change the mode of \(path): error \(errno)")
    }
  }
}

extension FileDescriptor {
  /// A second descriptor for the same open file, with the lowest free number that is at least
  /// `minimum`.
  package func duplicate(from minimum: Int32) throws -> FileDescriptor {
    try FileDescriptor.duplicating(number, from: minimum)
  }
}

extension ChildProcess {
  /// Waits until a signal stops the child, or the child ends. Does not take the change of state.
  package func awaitStop() throws {
    var information = siginfo_t()
    while waitid(P_PID, id_t(pid), &information, WSTOPPED | WEXITED | WNOWAIT) != 0 {
      guard errno == EINTR else { throw Unmet("cannot wait for process \(pid): error \(errno)") }
    }
  }
}

extension User {
  /// The ID of the effective group.
  package static var currentGroup: UInt32 { getegid() }
}
