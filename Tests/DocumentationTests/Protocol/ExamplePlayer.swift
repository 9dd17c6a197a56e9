import SceneTestSupport

/// Plays the conversations of the pages with a real broker, and reports each difference.
final class ExamplePlayer {
  private let workplace: Workplace
  private var daemon: Daemon
  private var clients: [String: WireClient] = [:]
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
        throw Unmet("the example has a hole without a value")
      }
      try client(name).send(frame: filled)
    case .hears(let name, let text):
      guard let frame = try client(name).nextText() else {
        throw Unmet("the connection is closed")
      }
      if let mismatch = Pattern(text).mismatch(with: frame, &names) {
        throw Unmet("\(mismatch), in\n\(frame)")
      }
    case .happens(let happening): try play(happening)
    }
  }

  private func play(_ happening: WireExample.Incident) throws {
    switch happening {
    case .clientDies:
      // For the broker, the end of a process is the end of its connections.
      try client("").expectNothing()
      try client("").endSending()
      clients[""] = nil
    case .brokerDies:
      try client("").expectNothing()
      try daemon.kill()
      clients.removeAll()
      daemon = try Daemon(workplace)
    case .closes:
      guard try client("").nextFrame() == nil else { throw Unmet("the connection stays open") }
      clients[""] = nil
    }
  }

  /// Connects a client when the example names it for the first time.
  private func client(_ name: String) throws -> WireClient {
    if let client = clients[name] { return client }
    let client = try daemon.connect()
    clients[name] = client
    return client
  }

  /// Expects that the example shows every message of the broker.
  func expectEnd() throws {
    for (name, client) in clients {
      do { try client.expectNothing() } catch { throw Unmet("client \"\(name)\": \(error)") }
    }
  }
}

extension WireClient {
  fileprivate func nextText() throws -> String? {
    try nextFrame().map { String(decoding: $0, as: UTF8.self) }
  }

  /// Expects that no message is unread: the next message is the reply to the next request.
  fileprivate func expectNothing() throws {
    try send(frame: #"{"jsonrpc":"2.0","id":"the end","method":"broker/ping"}"#)
    let answer = try nextText()
    guard answer == #"{"jsonrpc":"2.0","id":"the end","result":{}}"# else {
      throw Unmet("the broker sent something else: \(answer ?? "the end of the connection")")
    }
  }
}
