import SceneModel
import ScenePlatform
import Testing

@testable import SceneApp
@testable import SceneClient

/// The actions of `onChange(of:_:)`, with a stub broker.
@MainActor
struct PhaseActionTests {
  private let broker = StubBroker()
  private nonisolated static let log = CallbackLog()

  private struct Notes: App {
    var body: some SceneContent {
      WindowGroup(delegate: PlainDelegate.init)
        .onChange(of: ScenePhase.background) { phase in
          PhaseActionTests.log.note("\(phase)")
        }
    }
  }

  @Test("an action runs for each change of the phase, and before the program ends")
  func changes() throws {
    let application = SceneApplication(name: "notes", delegates: ["*": PlainDelegate.init]) {
      [broker] () throws(SystemError) in try broker.connect()
    }
    AppProgram(Notes()).followPhase(of: application)
    try application.start()
    let end = try broker.meet()
    // Before the first scene, other processes change the phase.
    for phase in [ApplicationPhase.active, .background] { try end.notify(.phaseChanged(phase)) }
    try end.ask(.willConnect(packing))
    for phase in [ApplicationPhase.active, .inactive, .active, .background] {
      try end.notify(.phaseChanged(phase))
    }
    try end.ask(.didDisconnect(packing, .clientRequest))
    application.stop()
    #expect(try application.client.waitUntilStopped() == nil)
    #expect(Self.log.lines == ["active", "inactive", "active", "background"])
  }
}
