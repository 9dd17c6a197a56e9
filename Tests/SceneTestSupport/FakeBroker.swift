package import SceneModel
import ScenePlatform
import SceneWire

/// What listens where a broker should, and says only what a test wants it to say.
package final class FakeBroker {
  private let workplace: Workplace
  private let listener: FileDescriptor

  package init() throws {
    workplace = try Workplace()
    listener = try UnixSocket.listen(at: workplace.socket)
  }

  /// Starts a program that takes it for its broker.
  package func start(_ program: String, _ arguments: [String] = []) throws -> RunningProgram {
    let running = try RunningProgram(
      program, arguments, environment: ["SCENE_SOCKET": workplace.socket])
    running.closeInput()
    return running
  }

  /// Sends the next client away before it has said anything, and gives the reason.
  package func turnAway(_ reason: BrokerError) throws {
    guard try listener.waitReadable(nanoseconds: ceiling),
      let client = try UnixSocket.accept(from: listener)
    else { throw Unmet("no client came") }
    var writer = FrameWriter()
    writer.error(nil, reason)
    try client.write(writer.take().span.bytes)
  }
}
