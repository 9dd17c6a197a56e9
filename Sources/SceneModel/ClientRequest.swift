package import JSON

/// Who may send a request.
package enum Permission: String, Sendable {
  /// Whoever may connect.
  case anyone
  /// Scenes and controls: whoever may change sessions.
  case changers
  /// Controls alone: it acts on the application or the broker.
  case controls
}

/// Every request that a client can make. A new one is a struct under `Messages`, a case here, and a method of the broker:
/// the compiler asks for the rest.
package enum ClientRequest: Equatable, Sendable {
  case initialize(Initialize)
  case connect(SceneConnect)
  case disconnect(SceneDisconnect)
  case transition(SceneTransition)
  case update(SceneUpdate)
  case extend(SceneExtend)
  case saveActivity(SaveActivity)
  case setUserInfo(SetUserInfo)
  case setName(SetName)
  case list(SessionList)
  case show(SessionShow)
  case history(SessionHistory)
  case observe(SessionObserve)
  case activate(RequestActivation)
  case destroy(RequestDestruction)
  case status(ApplicationStatus)
  case reclaim(Reclaim)
  case terminate(Terminate)
  case trace(TraceObserve)
  case ping(Ping)
  case describe(Describe)
  case settle(Settle)
  case returnError(ReturnError)
}

/// The requests without what they carry: what stands in the catalogue.
package enum ClientMethod: CaseIterable, Sendable {
  case initialize
  case connect
  case disconnect
  case transition
  case update
  case extend
  case saveActivity
  case setUserInfo
  case setName
  case list
  case show
  case history
  case observe
  case activate
  case destroy
  case status
  case reclaim
  case terminate
  case trace
  case ping
  case describe
  case settle
  case returnError
}

extension ClientMethod {
  /// Reads the parameters that belong to the method.
  package func read(_ params: JSONValue) throws(MemberError) -> ClientRequest {
    switch self {
    case .initialize: .initialize(try Initialize(reading: params))
    case .connect: .connect(try SceneConnect(reading: params))
    case .disconnect: .disconnect(try SceneDisconnect(reading: params))
    case .transition: .transition(try SceneTransition(reading: params))
    case .update: .update(try SceneUpdate(reading: params))
    case .extend: .extend(try SceneExtend(reading: params))
    case .saveActivity: .saveActivity(try SaveActivity(reading: params))
    case .setUserInfo: .setUserInfo(try SetUserInfo(reading: params))
    case .setName: .setName(try SetName(reading: params))
    case .list: .list(try SessionList(reading: params))
    case .show: .show(try SessionShow(reading: params))
    case .history: .history(try SessionHistory(reading: params))
    case .observe: .observe(try SessionObserve(reading: params))
    case .activate: .activate(try RequestActivation(reading: params))
    case .destroy: .destroy(try RequestDestruction(reading: params))
    case .status: .status(try ApplicationStatus(reading: params))
    case .reclaim: .reclaim(try Reclaim(reading: params))
    case .terminate: .terminate(try Terminate(reading: params))
    case .trace: .trace(try TraceObserve(reading: params))
    case .ping: .ping(try Ping(reading: params))
    case .describe: .describe(try Describe(reading: params))
    case .settle: .settle(try Settle(reading: params))
    case .returnError: .returnError(try ReturnError(reading: params))
    }
  }

  package var entry: CatalogueEntry {
    switch self {
    case .initialize: CatalogueEntry(Initialize.self, for: .anyone)
    case .connect: CatalogueEntry(SceneConnect.self, for: .changers)
    case .disconnect: CatalogueEntry(SceneDisconnect.self, for: .changers)
    case .transition: CatalogueEntry(SceneTransition.self, for: .changers)
    case .update: CatalogueEntry(SceneUpdate.self, for: .changers)
    case .extend: CatalogueEntry(SceneExtend.self, for: .changers)
    case .saveActivity: CatalogueEntry(SaveActivity.self, for: .changers)
    case .setUserInfo: CatalogueEntry(SetUserInfo.self, for: .changers)
    case .setName: CatalogueEntry(SetName.self, for: .changers)
    case .list: CatalogueEntry(SessionList.self, for: .anyone)
    case .show: CatalogueEntry(SessionShow.self, for: .anyone)
    case .history: CatalogueEntry(SessionHistory.self, for: .anyone)
    case .observe: CatalogueEntry(SessionObserve.self, for: .anyone)
    case .activate: CatalogueEntry(RequestActivation.self, for: .changers)
    case .destroy: CatalogueEntry(RequestDestruction.self, for: .changers)
    case .status: CatalogueEntry(ApplicationStatus.self, for: .anyone)
    case .reclaim: CatalogueEntry(Reclaim.self, for: .controls)
    case .terminate: CatalogueEntry(Terminate.self, for: .controls)
    case .trace: CatalogueEntry(TraceObserve.self, for: .anyone)
    case .ping: CatalogueEntry(Ping.self, for: .anyone)
    case .describe: CatalogueEntry(Describe.self, for: .anyone)
    case .settle: CatalogueEntry(Settle.self, for: .anyone)
    case .returnError: CatalogueEntry(ReturnError.self, for: .anyone)
    }
  }
}
