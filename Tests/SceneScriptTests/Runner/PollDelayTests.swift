import Testing

@testable import SceneScript

@Suite("The delay between polls")
struct PollDelayTests {
  @Test("the delay doubles up to 50 ms")
  func waits() {
    var delay = PollDelay()
    let microseconds = (0..<9).map { _ in
      defer { _ = delay.nextPoll() }
      return delay.next / 1000
    }
    #expect(microseconds == [500, 1000, 2000, 4000, 8000, 16000, 32000, 50000, 50000])
  }
}
