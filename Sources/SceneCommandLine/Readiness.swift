import ScenePlatform

/// Reports that a daemon is ready, to the programs that wait for it.
package enum Readiness {
  /// A newline on the descriptor (which is closed then), and `READY=1` for a supervisor,
  /// with a status that replaces the one of the start.
  package static func tell(_ descriptor: Int32?, log: Log) throws(ProgramError) {
    if let descriptor { try tell(descriptor) }
    do throws(SystemError) {
      _ = try Supervisor.notify("READY=1\nSTATUS=Accepting connections")
    } catch {
      // The variable belongs to the supervisor of another process.
      log.warn("cannot notify the supervisor of $NOTIFY_SOCKET: \(error)")
    }
  }

  private static func tell(_ descriptor: Int32) throws(ProgramError) {
    do throws(SystemError) {
      try FileDescriptor(adopting: descriptor).write("\n")
    } catch {
      throw ProgramError(
        .badConfiguration,
        "--ready-fd: cannot write to descriptor \(descriptor): \(error.code); pass a descriptor "
          + "that is open for writing and has a reader")
    }
  }
}
