package import ScenePlatform

/// A process of a script. A separate thread reaps the process, so a wait can have a deadline.
package final class ManagedProcess: Sendable {
  package let child: ChildProcess
  private let finish = ConditionMutex<ProcessEnd?>(nil)

  package init(
    _ program: String, _ arguments: [String], environment: [String: String],
    descriptors: [Int32: Int32], workingDirectory: String? = nil, group: Int32? = nil
  ) throws(SystemError) {
    child = try ChildProcess.spawn(
      program, arguments, environment: environment, descriptors: descriptors,
      workingDirectory: workingDirectory, group: group)
    let (child, finish) = (child, finish)
    _ = try Thread("end of \(child.pid)") {
      // Only this thread reaps the child, so this cannot fail, and the process identifier stays
      // valid until `reap()`.
      try? child.awaitEnd()
      finish.withLock { $0 = (try? child.reap()) ?? .exited(0) }
    }
  }

  package var pid: Int32 { child.pid }

  /// Nil while the process is running.
  package var end: ProcessEnd? { finish.withLock { $0 } }

  /// Waits for the exit; nil at the deadline.
  package func waitForEnd(until deadline: Int64) -> ProcessEnd? {
    finish.wait(until: deadline) { $0 }
  }

  /// Sends a signal, unless the process was reaped: then another process can have its identifier.
  package func send(_ signal: Signal) throws(SystemError) {
    try finish.withLock { end in
      Result { () throws(SystemError) in if end == nil { try child.send(signal) } }
    }.get()
  }

  /// Sends SIGKILL and waits for the exit.
  package func killAndWait() {
    try? send(.kill)
    _ = finish.wait { $0 }
  }
}
