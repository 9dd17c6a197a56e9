import SceneModel

@testable import SceneBroker

/// The commands and changes of a fixture's broker.
extension BrokerFixture {
  /// Programs that were to be started.
  var launches: [LaunchRequest] {
    commands.compactMap { if case .launch(let request) = $0 { request } else { nil } }
  }

  /// Programs that were to end.
  var terminations: [LaunchIdentifier] {
    commands.compactMap { if case .terminate(let launch) = $0 { launch } else { nil } }
  }

  var closes: [ConnectionIdentifier] {
    commands.compactMap { if case .close(let connection) = $0 { connection } else { nil } }
  }

  func state(_ session: SessionIdentifier) -> ActivationState {
    broker.scenes[session]?.state ?? .unattached
  }

  func end(_ session: SessionIdentifier) -> DisconnectOutcome? { broker.stored[session]?.hold.end }

  func stored(_ session: SessionIdentifier) -> StoredSession? { broker.stored[session] }
}
