import CScenePlatform

extension FileDescriptor {
  /// The process that connected and has this ID; nil if the process was reaped.
  ///
  /// The kernel gives the ID of a reaped process to another one. So the code holds a descriptor of
  /// the process while it reads the start time, and then checks that the process was not reaped.
  /// Linux before 6.5 has no such descriptor.
  package func peerIdentity(of pid: Int32) -> ProcessIdentity? {
    let number = platform_peer_process(self.number)
    guard number >= 0 else {
      return errno == ESRCH || errno == EINVAL ? nil : ProcessIdentity.of(pid)
    }
    let process = FileDescriptor(adopting: number)
    let identity = ProcessIdentity.of(pid)
    return platform_signal_process(process.number, 0) == 0 ? identity : nil
  }
}

/// The process that connected, also after its end.
package final class PeerProcess {
  private let descriptor: FileDescriptor

  /// Nil before Linux 6.5. Before Linux 6.16, also nil if the process was reaped.
  package init?(of socket: borrowing FileDescriptor) {
    let number = platform_peer_process(socket.number)
    guard number >= 0 else { return nil }
    descriptor = FileDescriptor(adopting: number)
  }

  /// How the process ended; nil before its parent has waited for it, and before Linux 6.15.
  package var end: ProcessEnd? {
    var status: Int32 = 0
    guard platform_process_end(descriptor.number, &status) == 0 else { return nil }
    return ProcessEnd(waitStatus: status)
  }
}
