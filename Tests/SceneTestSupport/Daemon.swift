package import ScenePlatform

/// A real `scened` on a directory of its own. It ends with the test: it hangs on a leash.
package final class Daemon {
  package let workplace: Workplace
  package let program: RunningProgram
  /// Held open for as long as the daemon may live.
  private let leash: FileDescriptor

  /// Starts a daemon and returns when it is ready.
  package init(
    _ workplace: Workplace, _ options: [String] = [], environment: [String: String] = [:]
  ) throws {
    self.workplace = workplace
    var ready = try FileDescriptor.pipe()
    var leash = try FileDescriptor.pipe()
    let reading = ready.takeFirst()
    let writing = ready.takeSecond()
    let childLeash = leash.takeFirst()
    program = try RunningProgram(
      "scened",
      [
        "-S", workplace.socket, "--state", workplace.state, "--ready-fd", "3", "--leash-fd", "4",
        "--log-level", "debug",
      ] + options, environment: environment,
      descriptors: [3: writing.number, 4: childLeash.number])
    self.leash = leash.takeSecond()
    writing.close()
    childLeash.close()
    let readiness = try LineSource(reading, of: "scened's ready descriptor")
    guard try readiness.next() == "", try readiness.next() == nil else {
      throw Unmet("scened did not start:\n\(try program.everythingOnErrors())")
    }
  }

  package var socket: String { workplace.socket }
  package var pid: Int32 { program.child.pid }

  /// Kills it as `kill -9` does.
  package func kill() throws { try program.kill() }

  /// Ends it in order.
  @discardableResult
  package func stop() throws -> ProcessEnd {
    try program.send(.terminate)
    return try program.reap()
  }

  /// Runs a program of this package against it.
  package func start(_ name: String, _ arguments: [String] = []) throws -> RunningProgram {
    try RunningProgram(name, arguments, environment: ["SCENE_SOCKET": socket])
  }

  package func run(_ name: String, _ arguments: [String]) throws -> Outcome {
    try RunningProgram.run(name, arguments, environment: ["SCENE_SOCKET": socket])
  }

  package func connect() throws -> WireClient { try WireClient(socket: socket) }
}
