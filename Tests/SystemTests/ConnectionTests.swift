import SceneModel
import SceneTestSupport
import Testing

/// Real processes: a daemon, and clients that speak the protocol.
struct ConnectionTests {
  @Test("a new scene comes up the line, one callback after the other")
  func launch() throws {
    let daemon = try Daemon(Workplace())
    let client = try daemon.connect()
    try client.initialize()
    let connected = try client.request(SceneConnect(name: "packing", title: "Packing"))
    #expect(connected.isNew)
    #expect(connected.reason == .launch)
    try client.callback(.didBecomeActive)
    let callbacks = client.history.compactMap { message -> CallbackKind? in
      if case .callback(_, let callback) = message { callback.kind } else { nil }
    }
    #expect(callbacks == [.willConnect, .willEnterForeground, .didBecomeActive])
  }
}
