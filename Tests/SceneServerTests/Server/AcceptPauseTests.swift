import Testing

@testable import SceneServer

struct AcceptPauseTests {
  @Test("the broker accepts again as soon as a descriptor is closed, or after a second")
  func end() {
    let pause = AcceptPause(at: 1000, openDescriptors: 7)
    #expect(!pause.isOver(at: 1001, openDescriptors: 7))
    #expect(!pause.isOver(at: 1001, openDescriptors: 8))
    #expect(pause.isOver(at: 1001, openDescriptors: 6))
    #expect(pause.isOver(at: pause.end, openDescriptors: 7))
    #expect(pause.end == 1_000_001_000)
  }
}
