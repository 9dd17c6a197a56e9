package import SceneJSON

/// A method of the protocol: a row of the table of requests.
package struct RequestMethod: Hashable, Sendable {
  /// The position in the table.
  private let index: UInt8

  /// All methods, in the order in which the protocol lists them.
  package static let all = table.indices.map { RequestMethod(index: UInt8($0)) }

  private static let table = [
    Row(Initialize.self, ClientRequest.initialize, BrokerReply.initialized),
    Row(SceneConnect.self, ClientRequest.connect, BrokerReply.connected),
    Row(SceneDisconnect.self, ClientRequest.disconnect),
    Row(SceneTransition.self, ClientRequest.transition, BrokerReply.moved),
    Row(SceneUpdate.self, ClientRequest.update),
    Row(SceneExtend.self, ClientRequest.extend),
    Row(BeginAssertion.self, ClientRequest.beginAssertion, BrokerReply.asserted),
    Row(EndAssertion.self, ClientRequest.endAssertion),
    Row(SceneSignal.self, ClientRequest.signal),
    Row(SaveActivity.self, ClientRequest.saveActivity, BrokerReply.saved),
    Row(SetUserInfo.self, ClientRequest.setUserInfo),
    Row(SetName.self, ClientRequest.setName),
    Row(SessionList.self, ClientRequest.list, BrokerReply.listed),
    Row(SessionShow.self, ClientRequest.show, BrokerReply.shown),
    Row(SessionResolve.self, ClientRequest.resolve, BrokerReply.resolved),
    Row(SessionHistory.self, ClientRequest.history, BrokerReply.history),
    Row(RestoreActivity.self, ClientRequest.restore, BrokerReply.saved),
    Row(DataDirectory.self, ClientRequest.dataDirectory, BrokerReply.dataDirectory),
    Row(SessionObserve.self, ClientRequest.observe),
    Row(RequestActivation.self, ClientRequest.activate, BrokerReply.activated),
    Row(RequestDestruction.self, ClientRequest.destroy),
    Row(RequestRefresh.self, ClientRequest.refresh, BrokerReply.refreshed),
    Row(ApplicationOpen.self, ClientRequest.open, BrokerReply.activated),
    Row(ApplicationRoute.self, ClientRequest.route, BrokerReply.routed),
    Row(ApplicationStatus.self, ClientRequest.status, BrokerReply.status),
    Row(ApplicationManifest.self, ClientRequest.manifest, BrokerReply.manifest),
    Row(UpdateEnvironment.self, ClientRequest.updateEnvironment),
    Row(Reclaim.self, ClientRequest.reclaim, BrokerReply.reclaimed),
    Row(MemoryWarning.self, ClientRequest.memoryWarning),
    Row(SignificantTimeChange.self, ClientRequest.timeChange),
    Row(Terminate.self, ClientRequest.terminate),
    Row(EventPost.self, ClientRequest.post, BrokerReply.posted),
    Row(EventObserve.self, ClientRequest.observeEvents, BrokerReply.observed),
    Row(EventCease.self, ClientRequest.ceaseEvents),
    Row(TopicList.self, ClientRequest.listTopics, BrokerReply.topics),
    Row(TraceObserve.self, ClientRequest.trace),
    Row(Ping.self, ClientRequest.ping),
    Row(Describe.self, ClientRequest.describe, BrokerReply.described),
    Row(Settle.self, ClientRequest.settle),
    Row(Reload.self, ClientRequest.reload),
    Row(AdvanceClock.self, ClientRequest.advanceClock),
    Row(InjectFault.self, ClientRequest.fault),
    Row(ReturnError.self, ClientRequest.returnError),
  ]

  private static let byMessage = Dictionary(
    uniqueKeysWithValues: all.map { (ObjectIdentifier($0.message), $0) })

  private init(index: UInt8) { self.index = index }

  /// The first request of each client.
  package static let initialize = RequestMethod(Initialize.self)

  /// The row of a message, which must have one.
  package init(_ message: any RequestMessage.Type) {
    guard let method = Self.byMessage[ObjectIdentifier(message)] else {
      preconditionFailure("\(message) has no row in the table of requests")
    }
    self = method
  }

  package var message: any RequestMessage.Type { Self.table[Int(index)].message }
  package var name: StaticString { Self.table[Int(index)].name }
  package var permission: Permission { Self.table[Int(index)].permission }

  /// Reads the parameters of a request. Absent parameters are the same as an empty object.
  package func read(_ params: JSONValue?) throws(MemberError) -> ClientRequest {
    try Self.table[Int(index)].read(params)
  }

  package func readReply(_ result: JSONValue) throws(MemberError) -> BrokerReply {
    try Self.table[Int(index)].readReply(result)
  }
}

extension RequestMethod: CustomStringConvertible {
  /// The name on the wire.
  package var description: String { name.description }
}

private struct Row: Sendable {
  let message: any RequestMessage.Type
  let name: StaticString
  let permission: Permission
  let read: @Sendable (JSONValue?) throws(MemberError) -> ClientRequest
  let readReply: @Sendable (JSONValue) throws(MemberError) -> BrokerReply

  init<Message: RequestMessage>(
    _ message: Message.Type, _ request: @escaping @Sendable (consuming Message) -> ClientRequest,
    _ reply: @escaping @Sendable (Message.Reply) -> BrokerReply
  ) {
    self.message = message
    name = message.method
    permission = message.permission
    read = { (params) throws(MemberError) in
      if let params { return request(try Message(reading: params)) }
      var message = Message()
      var absent = EmptyObjectReader()
      try message.visitMembers(&absent)
      return request(message)
    }
    readReply = { (result) throws(MemberError) in reply(try Message.Reply(reading: result)) }
  }

  init<Message: RequestMessage>(
    _ message: Message.Type, _ request: @escaping @Sendable (consuming Message) -> ClientRequest
  ) where Message.Reply == Empty {
    self.init(message, request) { _ in .empty }
  }
}
