import SceneModel

extension ClientRequest {
  /// Whether the broker records the process of the client, or compares it with other processes.
  var concernsProcess: Bool {
    switch self {
    case .connect: true
    case .initialize(let message):
      message.launch != nil || message.kind == .scene || message.kind == .applicationDelegate
    case .disconnect, .transition, .update, .extend, .beginAssertion, .endAssertion, .signal,
      .saveActivity, .setUserInfo, .setName, .list, .show, .resolve, .history, .restore,
      .dataDirectory, .observe, .activate, .destroy, .refresh, .open, .route, .status, .manifest,
      .updateEnvironment, .reclaim, .memoryWarning, .timeChange, .terminate, .post, .observeEvents,
      .ceaseEvents, .listTopics, .trace, .ping, .describe, .settle, .reload, .advanceClock, .fault,
      .returnError:
      false
    }
  }
}
