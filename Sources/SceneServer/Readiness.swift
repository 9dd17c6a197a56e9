import ScenePlatform

/// Tells that the broker is ready, in every way in which a program may be waiting for it.
package enum Readiness {
  /// A newline on the descriptor (which is closed then), and `READY=1` for a supervisor.
  package static func tell(_ descriptor: Int32?, log: Log) throws(ServerError) {
    if let descriptor { try tell(descriptor) }
    do throws(SystemError) {
      _ = try Supervisor.notify("READY=1")
    } catch {
      // A variable that was left over from somebody else's supervisor.
      log.warn("the supervisor could not be told: \(error)")
    }
  }

  private static func tell(_ descriptor: Int32) throws(ServerError) {
    do throws(SystemError) {
      try FileDescriptor(adopting: descriptor).write("\n")
    } catch {
      throw ServerError(
        .badConfiguration,
        "--ready-fd: descriptor \(descriptor) cannot be written to: \(error.code); pass one that "
          + "is open for writing, and that somebody reads")
    }
  }
}
