import ScenePlatform

/// Tells that the broker is ready, in every way in which somebody may be waiting for it.
package enum Readiness {
  /// A newline on the descriptor (which is closed then), `READY=1` for a supervisor, and a line on
  /// standard output.
  package static func tell(
    _ line: String, descriptor: Int32?, log: Log
  ) throws(ServerError) {
    if let descriptor {
      try orServerError { () throws(SystemError) in
        try FileDescriptor(adopting: descriptor).write("\n")
      }
    }
    do throws(SystemError) {
      _ = try Supervisor.notify("READY=1")
    } catch {
      // A variable that was left over from somebody else's supervisor.
      log.warn("the supervisor could not be told: \(error)")
    }
    // Whoever closed standard output does not want to know.
    try? StandardStream.output.write(line)
  }
}
