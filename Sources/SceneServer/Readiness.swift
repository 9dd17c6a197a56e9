import ScenePlatform

/// Tells that the broker is ready, in every way in which somebody may be waiting for it.
package enum Readiness {
  /// A newline on the descriptor (which is closed then), `READY=1` for a supervisor, and a line on standard output.
  package static func tell(_ line: String, descriptor: Int32?) throws(ServerError) {
    do throws(SystemError) {
      if let descriptor { try FileDescriptor(adopting: descriptor).write("\n") }
      _ = try Supervisor.notify("READY=1")
    } catch {
      throw ServerError(error)
    }
    // Whoever closed standard output does not want to know.
    try? StandardStream.output.write(line)
  }
}
