import SceneModel
import SceneTestSupport
import Testing

/// Real processes: a daemon, and clients that speak the protocol.
struct ConnectionTests {
  #if !canImport(Darwin)
    @Test(
      "a client that has ended its output gets its delayed reply, and then the broker closes the connection"
    )
    func halfClosed() throws {
      let daemon = try Daemon(Workplace())
      let holder = try daemon.connect()
      holder.acknowledge = { _ in nil }
      try holder.initialize()
      try holder.send(SceneConnect(name: "packing"))
      let first = try holder.first { if case .callback = $0 { true } else { false } }
      guard case .callback(let number, _) = first else { return }
      let asker = try daemon.connect()
      try asker.initialize(as: .control)
      let asked = try asker.send(Settle())
      try asker.endSending()
      #expect(try holder.request(ApplicationStatus()).connections == 2)
      try holder.answer(number)
      holder.acknowledge = { _ in StateRestorationAnswer() }
      try holder.callback(.didBecomeActive)
      _ = try asker.reply(to: asked, of: Settle.self)
      #expect(try asker.next() == nil)
    }
  #endif
}
