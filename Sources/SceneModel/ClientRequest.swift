package import JSON

/// Every request that a client can make. A new one is a struct under `Messages`, a case here, and a
/// method of the broker: the compiler asks for the rest.
package enum ClientRequest: Equatable, Sendable {
  indirect case initialize(Initialize)
  indirect case connect(SceneConnect)
  case disconnect(SceneDisconnect)
  case transition(SceneTransition)
  indirect case update(SceneUpdate)
  case extend(SceneExtend)
  case beginAssertion(BeginAssertion)
  case endAssertion(EndAssertion)
  case signal(SceneSignal)
  case saveActivity(SaveActivity)
  case setUserInfo(SetUserInfo)
  case setName(SetName)
  indirect case list(SessionList)
  case show(SessionShow)
  case history(SessionHistory)
  case restore(RestoreActivity)
  case dataDirectory(DataDirectory)
  case observe(SessionObserve)
  indirect case activate(RequestActivation)
  case destroy(RequestDestruction)
  case refresh(RequestRefresh)
  indirect case open(ApplicationOpen)
  case route(ApplicationRoute)
  case status(ApplicationStatus)
  case manifest(ApplicationManifest)
  case reclaim(Reclaim)
  case memoryWarning(MemoryWarning)
  case timeChange(SignificantTimeChange)
  case terminate(Terminate)
  indirect case post(EventPost)
  case observeEvents(EventObserve)
  case ceaseEvents(EventCease)
  case listTopics(TopicList)
  case trace(TraceObserve)
  case ping(Ping)
  case describe(Describe)
  case settle(Settle)
  case reload(Reload)
  case advanceClock(AdvanceClock)
  case fault(InjectFault)
  case returnError(ReturnError)
}

/// The requests without what they carry, in the order in which the protocol lists them.
package enum ClientMethod: CaseIterable, Sendable {
  case initialize
  case connect
  case disconnect
  case transition
  case update
  case extend
  case beginAssertion
  case endAssertion
  case signal
  case saveActivity
  case setUserInfo
  case setName
  case list
  case show
  case history
  case restore
  case dataDirectory
  case observe
  case activate
  case destroy
  case refresh
  case open
  case route
  case status
  case manifest
  case reclaim
  case memoryWarning
  case timeChange
  case terminate
  case post
  case observeEvents
  case ceaseEvents
  case listTopics
  case trace
  case ping
  case describe
  case settle
  case reload
  case advanceClock
  case fault
  case returnError
}

extension ClientMethod {
  package var message: any RequestMessage.Type {
    switch self {
    case .initialize: Initialize.self
    case .connect: SceneConnect.self
    case .disconnect: SceneDisconnect.self
    case .transition: SceneTransition.self
    case .update: SceneUpdate.self
    case .extend: SceneExtend.self
    case .beginAssertion: BeginAssertion.self
    case .endAssertion: EndAssertion.self
    case .signal: SceneSignal.self
    case .saveActivity: SaveActivity.self
    case .setUserInfo: SetUserInfo.self
    case .setName: SetName.self
    case .list: SessionList.self
    case .show: SessionShow.self
    case .history: SessionHistory.self
    case .restore: RestoreActivity.self
    case .dataDirectory: DataDirectory.self
    case .observe: SessionObserve.self
    case .activate: RequestActivation.self
    case .destroy: RequestDestruction.self
    case .refresh: RequestRefresh.self
    case .open: ApplicationOpen.self
    case .route: ApplicationRoute.self
    case .status: ApplicationStatus.self
    case .manifest: ApplicationManifest.self
    case .reclaim: Reclaim.self
    case .memoryWarning: MemoryWarning.self
    case .timeChange: SignificantTimeChange.self
    case .terminate: Terminate.self
    case .post: EventPost.self
    case .observeEvents: EventObserve.self
    case .ceaseEvents: EventCease.self
    case .listTopics: TopicList.self
    case .trace: TraceObserve.self
    case .ping: Ping.self
    case .describe: Describe.self
    case .settle: Settle.self
    case .reload: Reload.self
    case .advanceClock: AdvanceClock.self
    case .fault: InjectFault.self
    case .returnError: ReturnError.self
    }
  }

  /// Reads the parameters that belong to the method; to leave them out is to give none.
  package func read(_ params: JSONValue?) throws(MemberError) -> ClientRequest {
    switch self {
    case .initialize: .initialize(try message(params))
    case .connect: .connect(try message(params))
    case .disconnect: .disconnect(try message(params))
    case .transition: .transition(try message(params))
    case .update: .update(try message(params))
    case .extend: .extend(try message(params))
    case .beginAssertion: .beginAssertion(try message(params))
    case .endAssertion: .endAssertion(try message(params))
    case .signal: .signal(try message(params))
    case .saveActivity: .saveActivity(try message(params))
    case .setUserInfo: .setUserInfo(try message(params))
    case .setName: .setName(try message(params))
    case .list: .list(try message(params))
    case .show: .show(try message(params))
    case .history: .history(try message(params))
    case .restore: .restore(try message(params))
    case .dataDirectory: .dataDirectory(try message(params))
    case .observe: .observe(try message(params))
    case .activate: .activate(try message(params))
    case .destroy: .destroy(try message(params))
    case .refresh: .refresh(try message(params))
    case .open: .open(try message(params))
    case .route: .route(try message(params))
    case .status: .status(try message(params))
    case .manifest: .manifest(try message(params))
    case .reclaim: .reclaim(try message(params))
    case .memoryWarning: .memoryWarning(try message(params))
    case .timeChange: .timeChange(try message(params))
    case .terminate: .terminate(try message(params))
    case .post: .post(try message(params))
    case .observeEvents: .observeEvents(try message(params))
    case .ceaseEvents: .ceaseEvents(try message(params))
    case .listTopics: .listTopics(try message(params))
    case .trace: .trace(try message(params))
    case .ping: .ping(try message(params))
    case .describe: .describe(try message(params))
    case .settle: .settle(try message(params))
    case .reload: .reload(try message(params))
    case .advanceClock: .advanceClock(try message(params))
    case .fault: .fault(try message(params))
    case .returnError: .returnError(try message(params))
    }
  }

  private func message<Message: RequestMessage>(
    _ params: JSONValue?
  ) throws(MemberError) -> Message {
    if let params { return try Message(reading: params) }
    var message = Message()
    var nothing = AbsentMembers()
    try message.members(&nothing)
    return message
  }
}

extension ClientRequest {
  /// What it carries.
  package var message: any RequestMessage {
    switch self {
    case .initialize(let message): message
    case .connect(let message): message
    case .disconnect(let message): message
    case .transition(let message): message
    case .update(let message): message
    case .extend(let message): message
    case .beginAssertion(let message): message
    case .endAssertion(let message): message
    case .signal(let message): message
    case .saveActivity(let message): message
    case .setUserInfo(let message): message
    case .setName(let message): message
    case .list(let message): message
    case .show(let message): message
    case .history(let message): message
    case .restore(let message): message
    case .dataDirectory(let message): message
    case .observe(let message): message
    case .activate(let message): message
    case .destroy(let message): message
    case .refresh(let message): message
    case .open(let message): message
    case .route(let message): message
    case .status(let message): message
    case .manifest(let message): message
    case .reclaim(let message): message
    case .memoryWarning(let message): message
    case .timeChange(let message): message
    case .terminate(let message): message
    case .post(let message): message
    case .observeEvents(let message): message
    case .ceaseEvents(let message): message
    case .listTopics(let message): message
    case .trace(let message): message
    case .ping(let message): message
    case .describe(let message): message
    case .settle(let message): message
    case .reload(let message): message
    case .advanceClock(let message): message
    case .fault(let message): message
    case .returnError(let message): message
    }
  }

  package var method: ClientMethod {
    switch self {
    case .initialize: .initialize
    case .connect: .connect
    case .disconnect: .disconnect
    case .transition: .transition
    case .update: .update
    case .extend: .extend
    case .beginAssertion: .beginAssertion
    case .endAssertion: .endAssertion
    case .signal: .signal
    case .saveActivity: .saveActivity
    case .setUserInfo: .setUserInfo
    case .setName: .setName
    case .list: .list
    case .show: .show
    case .history: .history
    case .restore: .restore
    case .dataDirectory: .dataDirectory
    case .observe: .observe
    case .activate: .activate
    case .destroy: .destroy
    case .refresh: .refresh
    case .open: .open
    case .route: .route
    case .status: .status
    case .manifest: .manifest
    case .reclaim: .reclaim
    case .memoryWarning: .memoryWarning
    case .timeChange: .timeChange
    case .terminate: .terminate
    case .post: .post
    case .observeEvents: .observeEvents
    case .ceaseEvents: .ceaseEvents
    case .listTopics: .listTopics
    case .trace: .trace
    case .ping: .ping
    case .describe: .describe
    case .settle: .settle
    case .reload: .reload
    case .advanceClock: .advanceClock
    case .fault: .fault
    case .returnError: .returnError
    }
  }
}

extension ClientMethod: CustomStringConvertible {
  /// As it is called on the wire.
  package var description: String { message.method.description }
}
