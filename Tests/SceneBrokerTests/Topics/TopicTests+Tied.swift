import SceneModel
import Testing

@testable import SceneBroker

/// Observations of a scene, which pause while it is in the background.
extension TopicTests {
  @Test("F83: what is tied to a scene pauses in the background, and catches up on the way up")
  func tied() {
    let (scene, poster) = (fixture.client(), fixture.control())
    let session = scene.become("packing")
    scene.ask(observe(session: session))
    scene.forget()
    poster.ask(post(1))
    #expect(scene.heard == [#"news added {"n":1} A-1 S1"#])
    scene.move(session, .background)
    scene.acknowledgeAll()
    scene.forget()
    poster.ask(post(2))
    #expect(scene.heard == [])
    scene.move(session, .foregroundActive)
    scene.forget()
    scene.acknowledge()
    #expect(scene.heard == [#"news added {"n":2} A-2 S1"#, "didBecomeActive S1"])
    scene.acknowledge()
    poster.ask(post(3))
    #expect(scene.heard == [#"news added {"n":3} A-3 S1"#])
  }

  @Test("a scene that is about to be in the background is told nothing more")
  func goingDown() {
    let (scene, poster) = (fixture.client(), fixture.control())
    let session = scene.become("packing")
    scene.ask(observe(session: session))
    scene.move(session, .background)
    scene.forget()
    poster.ask(post(1))
    #expect(scene.heard == [#"news added {"n":1} A-1 S1"#])
    scene.acknowledge()
    scene.forget()
    poster.ask(post(2))
    #expect(scene.heard == [])
  }

  @Test("it ends with the hold, and another on the same connection does not")
  func ends() {
    let (scene, poster) = (fixture.client(), fixture.control())
    let session = scene.become("packing")
    scene.ask(observe(session: session))
    scene.ask(observe())
    poster.ask(SceneTransition(session: session, to: .unattached))
    scene.acknowledgeAll()
    scene.become("packing")
    scene.forget()
    poster.ask(post(1))
    #expect(scene.heard == [#"news added {"n":1} A-1"#])
  }
}
