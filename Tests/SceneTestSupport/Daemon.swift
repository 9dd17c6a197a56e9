package import SceneModel
package import ScenePlatform
import SceneScript

/// A real `scened` with a directory of its own. It ends with the test, which closes its
/// lifetime descriptor.
package final class Daemon {
  package let workplace: Workplace
  package let program: RunningProgram
  /// The descriptor that keeps the daemon running while it is open.
  private let lifetime: FileDescriptor

  /// Starts a daemon and returns when it is ready. A wrapper is a command that runs its arguments.
  package init(
    _ workplace: Workplace, _ options: [String] = [], environment: [String: String] = [:],
    wrapper: [String] = [], descriptors: [Int32: Int32] = [:]
  ) throws {
    self.workplace = workplace
    let readiness = try BrokerReadiness()
    var pipe = try FileDescriptor.pipe()
    let end = pipe.takeFirst()
    lifetime = pipe.takeSecond()
    let words =
      try wrapper + [Programs.path("scened")] + workplace.words
      + ["--log-level", "debug", "--leash-fd", "4"] + BrokerReadiness.options + options
    program = try RunningProgram(
      words[0], Array(words.dropFirst()), environment: environment,
      descriptors: descriptors.merging(readiness.descriptors) { $1 }.merging([4: end.number]) { $1 }
    )
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
  package func start(
    _ name: String, _ arguments: [String] = [], environment: [String: String] = [:],
    workingDirectory: String? = nil
  ) throws -> RunningProgram {
    try RunningProgram(
      name, arguments, environment: environment.merging(["SCENE_SOCKET": socket]) { $1 },
      workingDirectory: workingDirectory)
  }

  package func run(
    _ name: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> Outcome {
    try start(name, arguments, environment: environment).finish()
  }

  /// Runs a verb that succeeds. Returns its output.
  @discardableResult
  package func scenectl(_ words: String...) throws -> String {
    let outcome = try run("scenectl", words)
    guard outcome.code == 0 else { throw Unmet("scenectl \(words): \(outcome.errors)") }
    return outcome.output
  }

  /// Starts a `scene`, and waits until it is in the foreground.
  package func scene(_ words: String...) throws -> RunningProgram {
    let scene = try start("scene", words)
    try scene.line(containing: "didBecomeActive")
    return scene
  }

  package func connect() throws -> WireClient { try WireClient(socket: socket) }

  /// A client that has sent `initialize`.
  package func client(as kind: ClientKind = .scene) throws -> WireClient {
    let client = try connect()
    try client.initialize(as: kind)
    return client
  }
}
