import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// The signals to a daemon, and their effects.
struct SignalTests {
  private func client(_ daemon: Daemon) throws -> WireClient {
    let client = try daemon.client()
    _ = try client.request(SceneConnect(name: "packing"))
    try client.callback(.didBecomeActive)
    return client
  }

  private func kinds(_ client: WireClient) -> [CallbackKind] {
    client.history.compactMap {
      if case .callback(_, let callback) = $0 { callback.kind } else { nil }
    }
  }

  @Test("TERM and INT end the broker in order", arguments: [Signal.terminate, .interrupt])
  func once(signal: Signal) throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    let client = try client(daemon)
    try daemon.program.send(signal)
    guard let message = try client.callback(.didDisconnect).message as? DidDisconnect else {
      return
    }
    #expect(message.reason == .shutdown)
    #expect(
      kinds(client).suffix(4) == [
        .willResignActive, .didEnterBackground, .stateRestorationActivity, .didDisconnect,
      ])
    #expect(try client.next() == nil)
    #expect(try daemon.program.reap().isSuccess)
    #expect(!File.exists(workplace.socket))
    try daemon.program.errorLine(
      containing: "\(signal.name): ending cleanly; send \(signal.name) again to end at once")
  }

  @Test("a second signal ends the broker at once", arguments: [Signal.terminate, .interrupt])
  func twice(signal: Signal) throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    let client = try client(daemon)
    // A scene whose client does not answer.
    client.acknowledge = { _ in nil }
    try daemon.program.send(signal)
    try client.callback(.willResignActive)
    try daemon.program.send(signal)
    #expect(try client.next() == nil)
    #expect(kinds(client).last == .willResignActive)
    #expect(try daemon.program.reap().isSuccess)
    #expect(!File.exists(workplace.socket))
    try daemon.program.errorLine(containing: "\(signal.name) again: ending at once")

    // The daemon did not end in order.
    let again = try Daemon(workplace)
    let reader = try again.client(as: .control)
    let shown = try reader.request(SessionShow(name: "packing"))
    #expect(shown.summary.disconnect == nil)
  }
}
