import SceneModel
import SceneTestSupport
import Testing

/// A real daemon, and clients that use the protocol directly.
struct ConnectionTests {
  #if !canImport(Darwin)
    @Test("a client that stopped sending gets its reply later, and then its connection closes")
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
