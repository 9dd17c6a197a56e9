import SceneModel
import ScenePlatform
import Testing

@testable import SceneClient

/// Tests of an application with a stub broker.
protocol ApplicationSuite {
  var broker: StubBroker { get }
  var log: CallbackLog { get }
}

extension ApplicationSuite {
  /// A started application, whose scenes log their callbacks.
  func application(
    _ delegates: [String: SceneApplication.DelegateFactory]? = nil, waitsForBroker: Bool = false
  ) throws -> SceneApplication {
    let application = SceneApplication(
      name: "notes",
      delegates: delegates ?? ["Note": { [log] in LoggingDelegate(log) }],
      waitsForBroker: waitsForBroker
    ) { [broker] () throws(SystemError) in try broker.connect() }
    try application.start()
    return application
  }

  /// A started application, and its connection to the broker.
  func connected(
    _ delegates: [String: SceneApplication.DelegateFactory]? = nil
  ) throws -> (SceneApplication, BrokerEnd) {
    (try application(delegates), try broker.meet())
  }

  /// A connected application with the scene of `packing` in the foreground.
  func foreground() throws -> (SceneApplication, BrokerEnd, Scene) {
    let (application, end) = try connected()
    try end.bring(packing)
    return (application, end, try #require(application.connectedScenes.first))
  }
}
