import SceneModel

/// A request of a client that its scene is not reclaimed.
struct Assertion: Equatable {
  let identifier: Int64
  let name: String

  static let longest = Interval.seconds(86_400)
  static let most = 64
}

/// `scene/beginAssertion` and `scene/endAssertion`.
extension Broker {
  mutating func beginAssertion(
    _ message: BeginAssertion, _ requester: Requester
  ) throws(BrokerError) {
    try checkMayChange(message.session, requester)
    guard let scene = scenes[message.session] else {
      throw BrokerError.unattached(label(of: message.session))
    }
    try limits.check(text: message.name, "name")
    guard !message.name.isEmpty else {
      throw BrokerError(
        .invalidParams, "name: must not be empty; give the purpose of the assertion")
    }
    guard let time = Interval(seconds: message.seconds), time <= Assertion.longest else {
      throw BrokerError(.invalidParams, "seconds: expected a number from 0 to 86400")
    }
    guard scene.assertions.count < Assertion.most else {
      throw BrokerError(
        .tooMany, "\(label(of: message.session)) already has \(Assertion.most) assertions")
    }
    let assertion = scenes.addAssertion(named: message.name, to: scene)
    effects.timers.append(.set(.assertion(message.session, assertion), time))
    reply(
      requester, BeginAssertion.Reply(assertion: assertion), about: message.session)
  }

  mutating func endAssertion(_ message: EndAssertion, _ requester: Requester) throws(BrokerError) {
    guard let identifier = scenes.session(with: message.assertion) else {
      throw BrokerError(
        .requestDenied, "there is no assertion \(message.assertion); it may have expired")
    }
    try checkMayChange(identifier, requester)
    effects.timers.append(.cancel(.assertion(identifier, message.assertion)))
    scenes.removeAssertion(message.assertion, of: identifier)
    reply(requester, .empty, about: identifier)
  }
}
