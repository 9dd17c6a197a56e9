/// All requests of clients. A new request is a structure under `Messages`, a case here, a row of
/// ``RequestMethod`` and a method of the broker.
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
  case resolve(SessionResolve)
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
  case updateEnvironment(UpdateEnvironment)
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

extension ClientRequest {
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
    case .resolve(let message): message
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
    case .updateEnvironment(let message): message
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

  /// The row of the request.
  package var method: RequestMethod { RequestMethod(type(of: message)) }
}
