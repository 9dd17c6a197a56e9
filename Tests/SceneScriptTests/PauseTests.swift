import Testing

@testable import SceneScript

@Suite("Looking at what nobody tells of")
struct PauseTests {
  @Test("looks come less and less often, but twenty times a second at least")
  func waits() {
    var pause = Pause()
    let microseconds = (0..<9).map { _ in
      defer { _ = pause.end() }
      return pause.next / 1000
    }
    #expect(microseconds == [500, 1000, 2000, 4000, 8000, 16000, 32000, 50000, 50000])
  }
}
