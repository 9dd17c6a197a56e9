package import ScenePlatform
import SceneScript

/// A real `scened` with a directory of its own. It ends with the test, because the test holds its
/// leash.
package final class Daemon {
  package let workplace: Workplace
  package let program: RunningProgram
  /// The descriptor that keeps the daemon running while it is open.
  private let leash: FileDescriptor

  /// Starts a daemon and returns when it is ready. `descriptorLimit` is the hard limit of its open
  /// descriptors.
  package init(
    _ workplace: Workplace, _ options: [String] = [], environment: [String: String] = [:],
    descriptorLimit: Int? = nil
  ) throws {
    self.workplace = workplace
    let readiness = try BrokerReadiness()
    var pipe = try FileDescriptor.pipe()
    let end = pipe.takeFirst()
    leash = pipe.takeSecond()
    let words =
      [
        "-S", workplace.socket, "--state", workplace.state, "--log-level", "debug", "--leash-fd",
        "4",
      ] + BrokerReadiness.options + options
    let limiting = try descriptorLimit.map { limit in
      ["-c", "ulimit -n \(limit) && exec \"$@\"", "sh", try Programs.path("scened")]
    }
    program = try RunningProgram(
      limiting == nil ? "scened" : "/bin/sh", (limiting ?? []) + words, environment: environment,
      descriptors: readiness.descriptors.merging([4: end.number]) { own, _ in own })
    guard try readiness.wait(until: SystemClock.monotonic() + ceiling) else {
      throw Unmet("scened did not start:\n\(try program.everythingOnErrors())")
    }
  }

  package var socket: String { workplace.socket }
  package var pid: Int32 { program.child.pid }

  /// Kills the daemon as `kill -9` does.
  package func kill() throws { try program.kill() }

  /// Stops the daemon in order.
  @discardableResult
  package func stop() throws -> ProcessEnd {
    try program.send(.terminate)
    return try program.reap()
  }

  /// Runs a program of this package with this daemon as its broker.
  package func start(_ name: String, _ arguments: [String] = []) throws -> RunningProgram {
    try RunningProgram(name, arguments, environment: ["SCENE_SOCKET": socket])
  }

  package func run(_ name: String, _ arguments: [String]) throws -> Outcome {
    try RunningProgram.run(name, arguments, environment: ["SCENE_SOCKET": socket])
  }

  package func connect() throws -> WireClient { try WireClient(socket: socket) }
}
