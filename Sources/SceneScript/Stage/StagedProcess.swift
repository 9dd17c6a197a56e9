package import ScenePlatform

/// A process that a stage started. Its end is seen by a thread of its own, so that it can be waited
/// for only as long as one likes.
package final class StagedProcess: Sendable {
  package let child: ChildProcess
  private let finish = Monitor<ProcessEnd?>(nil)

  package init(
    _ program: String, _ arguments: [String], environment: [String: String],
    descriptors: [Int32: Int32], workingDirectory: String? = nil, group: Int32? = nil
  ) throws(SystemError) {
    child = try ChildProcess.spawn(
      program, arguments, environment: environment, descriptors: descriptors,
      workingDirectory: workingDirectory, group: group)
    let (child, finish) = (child, finish)
    _ = try Thread("end of \(child.pid)") {
      // It cannot fail for a child that nobody else reaps. Until it is reaped its number is nobody
      // else's.
      try? child.awaitEnd()
      finish.withLock { $0 = (try? child.reap()) ?? .exited(0) }
    }
  }

  package var pid: Int32 { child.pid }

  /// How it ended; nil while it runs.
  package var end: ProcessEnd? { finish.withLock { $0 } }

  /// Waits for its end; nil when the deadline came first.
  package func waitForEnd(until deadline: Int64) -> ProcessEnd? {
    finish.wait(until: deadline) { $0 }
  }

  /// Does nothing once it has ended: its number may be somebody else's by then.
  package func send(_ signal: Signal) throws(SystemError) {
    let error = finish.withLock { end -> SystemError? in
      guard end == nil else { return nil }
      do throws(SystemError) {
        try child.send(signal)
        return nil
      } catch {
        return error
      }
    }
    if let error { throw error }
  }

  /// Kills it if it still runs, and returns when it is gone.
  package func finishOff() {
    try? send(.kill)
    // Nothing survives this signal, so this ends.
    _ = finish.wait { $0 }
  }
}
