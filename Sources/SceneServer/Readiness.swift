import ScenePlatform

/// Tells that the broker is ready, in every way in which somebody may be waiting for it.
package enum Readiness {
  /// A newline on the descriptor (which is closed then), `READY=1` for a supervisor, and a line on
  /// standard output.
  package static func tell(
    _ line: String, descriptor: Int32?, log: Log
  ) throws(ServerError) {
    try tell(descriptor)
    do throws(SystemError) {
      _ = try Supervisor.notify("READY=1")
    } catch {
      // A variable that was left over from somebody else's supervisor.
      log.warn("the supervisor could not be told: \(error)")
    }
    // Whoever closed standard output does not want to know.
    try? StandardStream.output.write(line)
  }

  /// The newline alone, on a descriptor that is closed then.
  package static func tell(_ descriptor: Int32?) throws(ServerError) {
    guard let descriptor else { return }
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
