package import SceneJSON
package import SceneModel

/// A method of the protocol: a row of the table of requests. A new request is a structure under
/// `SceneModel/Messages`, a row here and a method of the broker.
package struct RequestMethod: Sendable {
  package let message: any RequestMessage.Type
  package let name: StaticString
  package let permission: Permission
  /// Reads the parameters and performs the request. `identify` finds out the process of the client.
  let perform:
    @Sendable (
      inout Broker, _ params: JSONValue?, Requester, _ identify: () -> ClientProcess?
    ) throws(BrokerError) -> Void

  /// All methods, in the order in which the protocol lists them.
  package static let all: [RequestMethod] = [
    Self(Initialize.self) { try $0.initialize($1, $0.attempt(by: $2)) },
    Self(SceneConnect.self) { try $0.connect($1, $0.attempt(by: $2)) },
    Self(SceneDisconnect.self) { try $0.disconnect($1, $2) },
    Self(SceneTransition.self) { try $0.transition($1, $0.attempt(by: $2)) },
    Self(SceneUpdate.self) { try $0.update($1, $2) },
    Self(SceneExtend.self) { try $0.extend($1, $2) },
    Self(BeginAssertion.self) { try $0.beginAssertion($1, $2) },
    Self(EndAssertion.self) { try $0.endAssertion($1, $2) },
    Self(SceneSignal.self) { try $0.signal($1, $2) },
    Self(SessionPing.self) { try $0.ping($1, $2) },
    Self(SaveActivity.self) { try $0.saveActivity($1, $2) },
    Self(SetUserInfo.self) { try $0.setUserInfo($1, $2) },
    Self(SetName.self) { try $0.setName($1, $2) },
    Self(SessionList.self) { try $0.list($1, $2) },
    Self(SessionShow.self) { try $0.show($1, $2) },
    Self(SessionResolve.self) { try $0.resolve($1, $2) },
    Self(SessionHistory.self) { try $0.history($1, $2) },
    Self(RestoreActivity.self) { try $0.restoreActivity($1, $2) },
    Self(DataDirectory.self) { try $0.requestDataDirectory($1, $2) },
    Self(SessionRelease.self) { try $0.release($1, $2) },
    Self(SessionAdopt.self) { try $0.adopt($1, $2) },
    Self(SessionUndiscard.self) { try $0.undiscard($1, $2) },
    Self(SessionObserve.self) { broker, _, requester in broker.observe(requester) },
    Self(RequestActivation.self) {
      try $0.adopt($1.environment, $2)
      try $0.activate($1, $0.attempt(by: $2))
    },
    Self(RequestDestruction.self) { try $0.destroy($1, $2) },
    Self(RequestRefresh.self) { try $0.refresh($1, $0.attempt(by: $2)) },
    Self(ApplicationOpen.self) {
      try $0.adopt($1.environment, $2)
      try $0.open($1, $0.attempt(by: $2))
    },
    Self(ApplicationRoute.self) { try $0.route($1, $2) },
    Self(ApplicationStatus.self) { broker, _, requester in broker.status(requester) },
    Self(ApplicationManifest.self) { broker, _, requester in broker.showManifest(requester) },
    Self(UpdateEnvironment.self) { try $0.updateEnvironment($1, $2) },
    Self(Reclaim.self) { try $0.reclaim($1, $2) },
    Self(MemoryWarning.self) { $0.warnOfMemory($1, $2) },
    Self(SignificantTimeChange.self) { broker, _, requester in
      broker.announceTimeChange(requester)
    },
    Self(Terminate.self) { broker, _, requester in
      if broker.isUpgrading { throw BrokerError.upgrading }
      broker.reply(requester, .empty, about: nil)
      broker.terminate()
    },
    Self(EventPost.self) { try $0.post($1, $2) },
    Self(EventObserve.self) { try $0.observe($1, $2) },
    Self(EventCease.self) { try $0.cease($1, $2) },
    Self(TopicList.self) { try $0.listTopics($1, $2) },
    Self(TraceObserve.self) { try $0.observeTrace($1, $2) },
    Self(Ping.self) { broker, _, requester in broker.reply(requester, .empty, about: nil) },
    Self(Describe.self) { broker, _, requester in
      broker.reply(requester, ProtocolDescription.json(limits: broker.limits), about: nil)
    },
    Self(Settle.self) { try $0.settle($1, $2) },
    Self(BrokerUpgrade.self) { $0.upgrade($1, $2) },
    Self(Reload.self) { broker, _, requester in broker.reload(requester) },
    Self(AdvanceClock.self) { try $0.advanceClock($1, $2) },
    Self(InjectFault.self) { try $0.injectFault($1, $2) },
    Self(ReturnError.self) { _, message, _ in throw message.error },
  ]

  private init<Message: RequestMessage>(
    _ message: Message.Type,
    _ method: @escaping @Sendable (inout Broker, Message, Requester) throws -> Void
  ) {
    self.message = message
    name = Message.method
    permission = Message.permission
    perform = { (broker, params, requester, identify) throws(BrokerError) in
      let message: Message
      do throws(MemberError) {
        message = try Message.read(params)
      } catch {
        throw BrokerError(.invalidParams, "\(Message.method): \(error.inside("params"))")
      }
      if message.concernsProcess, let process = identify() {
        broker.clients[requester.connection]?.process = process
      }
      guard try broker.admits(Message.self, from: requester) else { return }
      if broker.mustWait(Message.self, of: requester) {
        return try broker.deferUntilResumption(requester) {
          (broker, requester) throws(BrokerError) in
          try Self.perform(method, message, &broker, requester)
        }
      }
      try Self.perform(method, message, &broker, requester)
    }
  }

  private static func perform<Message: RequestMessage>(
    _ method: (inout Broker, Message, Requester) throws -> Void, _ message: Message,
    _ broker: inout Broker, _ requester: Requester
  ) throws(BrokerError) {
    do {
      try method(&broker, message, requester)
    } catch let error as BrokerError {
      throw error
    } catch {
      preconditionFailure("the methods of the broker throw only BrokerError")
    }
  }

  // MARK: - Names

  /// Finds a method by the bytes of its name, without a string.
  package static func named(_ name: JSONValue) -> RequestMethod? {
    guard let hash = name.withUTF8(hash) else { return nil }
    var index = hash % slots.count
    while let place = slots[index] {
      if name.equals(all[place].name) { return all[place] }
      index = (index + 1) % slots.count
    }
    return nil
  }

  /// The places of all methods, with open addressing. At most a third of the slots is used.
  private static let slots = {
    var slots = [Int?](repeating: nil, count: 3 * all.count)
    for (place, method) in all.enumerated() {
      var index =
        method.name.withUTF8Buffer { unsafe hash(Span(_unsafeElements: $0)) } % slots.count
      while slots[index] != nil { index = (index + 1) % slots.count }
      slots[index] = place
    }
    return slots
  }()

  /// FNV-1a.
  private static func hash(_ bytes: Span<UInt8>) -> Int {
    var hash: UInt32 = 2_166_136_261
    for index in bytes.indices { hash = (hash ^ UInt32(bytes[index])) &* 16_777_619 }
    return Int(hash)
  }
}

extension RequestMethod: CustomStringConvertible {
  /// The name on the wire.
  package var description: String { name.description }
}

extension ReturnError {
  /// The error that a test asked for.
  fileprivate var error: BrokerError {
    guard let reason = ErrorReason.named(reason) else {
      return BrokerError(
        .invalidParams,
        "reason: there is no error \"\(reason.clipped(to: 100))\"; see broker/describe")
    }
    return BrokerError(reason, "\(reason.name), as requested")
  }
}
