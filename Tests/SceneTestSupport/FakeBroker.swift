package import SceneModel
import ScenePlatform
import SceneWire

/// A listener at the address of a broker. It sends only what a test specifies.
package final class FakeBroker {
  private let workplace: Workplace
  private let listener: FileDescriptor

  package init() throws {
    workplace = try Workplace()
    listener = try UnixSocket.listen(at: workplace.socket)
  }

  /// Starts a program that connects to this listener as its broker.
  package func start(_ program: String, _ arguments: [String] = []) throws -> RunningProgram {
    let running = try RunningProgram(
      program, arguments, environment: ["SCENE_SOCKET": workplace.socket])
    running.closeInput()
    return running
  }

  /// Closes the connection of the next client with this reason, before the client sends anything.
  package func turnAway(_ reason: BrokerError) throws {
    guard try listener.waitReadable(nanoseconds: ceiling),
      let client = try UnixSocket.accept(from: listener)
    else { throw Unmet("no client connected") }
    var writer = FrameWriter()
    writer.error(nil, reason)
    try client.write(writer.take().span.bytes)
  }
}
