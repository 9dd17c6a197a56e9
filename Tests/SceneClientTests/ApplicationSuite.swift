import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneClient

/// Tests of an application against a scripted broker.
protocol ApplicationSuite {
  var broker: StubBroker { get }
  var log: CallbackLog { get }
}

extension ApplicationSuite {
  /// An application that was started; its scenes note what they are called with.
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
}
