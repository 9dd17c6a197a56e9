import SceneModel

/// The environment of the user's login. Controls send it, and programs get it that the broker or
/// `scene` starts. No reply and no entry of the trace has a value.
extension Broker {
  mutating func updateEnvironment(
    _ message: UpdateEnvironment, _ requester: Requester
  ) throws(BrokerError) {
    try adopt(message.environment, requester)
    reply(requester, .empty, about: nil)
  }

  /// Takes the environment that came with a request.
  mutating func adopt(
    _ environment: LoginEnvironment?, _ requester: Requester
  ) throws(BrokerError) {
    guard let environment else { return }
    guard isControl(requester) else {
      throw BrokerError(.notPermitted, "environment: allowed only for controls")
    }
    let merged = loginEnvironment.merging(environment)
    if let problem = environment.problem ?? merged.problem {
      throw BrokerError(.invalidParams, "environment: \(problem)")
    }
    loginEnvironment = merged
  }

  func isControl(_ requester: Requester) -> Bool {
    clients[requester.connection]?.kind == .control
  }

  /// Adds the environment to the first callback of a scene that a control activated and whose
  /// program `scene` runs.
  func addEnvironment(to callback: inout Callback, _ session: StoredSession) {
    guard !loginEnvironment.isEmpty, var message = callback.message as? WillConnect,
      session.attributes.program?.connects == false,
      pending.assignment(of: message.session)?.isByControl == true
    else { return }
    message.environment = loginEnvironment
    if message.jsonByteCount <= replyBytes { callback = Callback(.willConnect, message) }
  }
}
