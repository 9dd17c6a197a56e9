import SceneJSON
import SceneModel

/// The attributes that a client can change: title, snapshot, conditions, program, placement, user
/// info, name.
extension Broker {
  mutating func update(_ message: SceneUpdate, _ requester: Requester) throws(BrokerError) {
    let isByScene = requester.connection == scenes[message.session]?.holder
    if message.process != .absent, !isByScene {
      throw BrokerError(.requestDenied, "only the session's client can state its process")
    }
    try change(message.session, requester) { broker, attributes throws(BrokerError) in
      let limits = broker.limits
      try limits.check(text: message.title.text, "title")
      try limits.check(text: message.subtitle.text, "subtitle")
      try limits.check(text: message.problem, "problem")
      try limits.check(snapshot: message.snapshot.text)
      if case .value(let program) = message.program { try limits.check(program) }
      if case .value(let placement) = message.placement { try limits.check(placement: placement) }
      if case .value(let process) = message.process {
        try limits.check(text: process.name, "process.name")
        guard !process.name.isEmpty else {
          throw BrokerError(.invalidParams, "process.name: expected the name of a program")
        }
        guard process.pid > 1 else {
          throw BrokerError(.invalidParams, "process.pid: expected the number of a process")
        }
      }
      message.title.change(&attributes.title)
      message.subtitle.change(&attributes.subtitle)
      message.snapshot.change(&attributes.snapshot)
      message.program.change(&attributes.program)
      message.placement.change(&attributes.placement)
      try attributes.activationConditions.apply(message.activationConditions, limits)
    }
    if let client = clients[requester.connection] {
      let before = client.program
      message.process.change(&client.program)
      if client.program != before { markChanged(message.session) }
    }
    if let problem = message.problem {
      trace(.reported, message.session, by: isByScene ? nil : requester) {
        $0.detail = problem
        // The log omits the report of a terminal that the user closed.
        if case .value(let process) = message.process, process.terminal?.detached == .hangup {
          $0.reason = TerminalDetachment.hangup.rawValue
        }
      }
    }
  }

  mutating func setUserInfo(_ message: SetUserInfo, _ requester: Requester) throws(BrokerError) {
    try change(message.session, requester) { broker, attributes throws(BrokerError) in
      try broker.limits.check(message.userInfo)
      attributes.userInfo = message.userInfo
    }
  }

  mutating func setName(_ message: SetName, _ requester: Requester) throws(BrokerError) {
    try change(message.session, requester) { broker, attributes throws(BrokerError) in
      try broker.limits.check(name: message.name)
      if let name = message.name, name != attributes.name {
        let isTaken =
          broker.store.listed(named: name) != nil || broker.pendingSessions.isTaken(name)
        guard !isTaken else {
          throw BrokerError(.nameInUse, "another session is called \(name)")
        }
      }
      attributes.name = message.name
    }
  }

  private mutating func change(
    _ identifier: SessionIdentifier, _ requester: Requester,
    _ body: (borrowing Broker, inout SessionAttributes) throws(BrokerError) -> Void
  ) throws(BrokerError) {
    let session = try sessionToChange(identifier, requester)
    guard !store.isDiscarding(identifier) else { throw absence(of: identifier) }
    var attributes = session.attributes
    try body(self, &attributes)
    if attributes != session.attributes {
      try checkRoom(for: attributes, after: session.attributes)
      record(.session(attributes))
      markChanged(identifier)
    }
    reply(requester, .empty, about: identifier)
  }

  /// Checks whether these attributes can replace the attributes before.
  mutating func checkRoom(
    for attributes: SessionAttributes, after before: SessionAttributes
  ) throws(BrokerError) {
    let growth = attributes.byteCount - before.byteCount
    if let error = store.admission(of: growth > 0 ? .growing : .bounded) { throw error }
    try checkRoom(for: growth)
  }
}

extension Patch {
  /// An absent member leaves the attribute, and null removes it.
  fileprivate func change(_ attribute: inout Value?) {
    switch self {
    case .absent: break
    case .null: attribute = nil
    case .value(let value): attribute = value
    }
  }
}

extension ActivationConditions {
  /// Applies the conditions of a request. Throws if one is invalid.
  mutating func apply(
    _ change: Patch<ActivationConditionTexts>, _ limits: Limits
  ) throws(BrokerError) {
    switch change {
    case .absent: return
    case .null: self = .standard
    case .value(let texts):
      try Self.apply(texts.canActivate, to: &canActivate, "canActivate", limits)
      try Self.apply(texts.prefersToActivate, to: &prefersToActivate, "prefersToActivate", limits)
    }
  }

  private static func apply(
    _ change: Patch<String>, to predicate: inout ActivationPredicate?, _ member: String,
    _ limits: Limits
  ) throws(BrokerError) {
    switch change {
    case .absent: return
    case .null: predicate = nil
    case .value(let text):
      predicate = try self.predicate(text, "activationConditions.\(member)", limits)
    }
  }

  /// Reads a predicate. The limit applies to the text and to the stored form, which each start
  /// reads.
  private static func predicate(
    _ text: String, _ member: String, _ limits: Limits
  ) throws(BrokerError) -> ActivationPredicate {
    func check(_ text: String) throws(BrokerError) {
      guard text.utf8.count <= limits.predicateBytes else {
        throw BrokerError.tooLarge(member, limit: limits.predicateBytes)
      }
    }
    try check(text)
    let predicate: ActivationPredicate
    do throws(MemberError) {
      predicate = try ActivationPredicate(text)
    } catch {
      throw BrokerError(.invalidPredicate, "\(member): \(error)")
    }
    try check(predicate.description)
    return predicate
  }
}
