import SceneTestSupport

/// Plays conversations to a real broker, and says where it answers differently.
final class ExamplePlayer {
  private let workplace: Workplace
  private var daemon: Daemon
  private var clients: [String: FrameClient] = [:]
  private var names = Pattern.Names()

  init() throws {
    workplace = try Workplace()
    daemon = try Daemon(workplace)
  }

  func play(_ example: WireExample) throws {
    for step in example.steps {
      do {
        try play(step)
      } catch {
        throw Unmet("\(step):\n\(error)")
      }
    }
  }

  private func play(_ step: WireExample.Step) throws {
    switch step {
    case .says(let name, let text):
      guard let filled = Pattern(text).filled(in: names) else {
        throw Unmet("it has a hole that nothing fills")
      }
      try client(name).send(filled)
    case .hears(let name, let text):
      guard let frame = try client(name).next() else { throw Unmet("the connection is closed") }
      if let mismatch = Pattern(text).mismatch(with: frame, &names) {
        throw Unmet("\(mismatch), in\n\(frame)")
      }
    case .happens(let happening): try play(happening)
    }
  }

  private func play(_ happening: WireExample.Incident) throws {
    switch happening {
    case .clientDies:
      // To the broker the end of a process is the end of its connections.
      try client("").expectNothing()
      try client("").end()
      clients[""] = nil
    case .brokerDies:
      try client("").expectNothing()
      try daemon.kill()
      clients.removeAll()
      daemon = try Daemon(workplace)
    case .closes:
      guard try client("").next() == nil else { throw Unmet("it stays open") }
      clients[""] = nil
    }
  }

  /// A client connects when the example names it for the first time.
  private func client(_ name: String) throws -> FrameClient {
    if let client = clients[name] { return client }
    let client = try FrameClient(socket: daemon.socket)
    clients[name] = client
    return client
  }

  /// Everything the broker has said was shown.
  func expectEnd() throws {
    for (name, client) in clients {
      do { try client.expectNothing() } catch { throw Unmet("client \"\(name)\": \(error)") }
    }
  }
}
