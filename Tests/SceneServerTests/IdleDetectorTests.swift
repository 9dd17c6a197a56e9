import SceneBroker
import SceneModel
import ScenePlatform
import Testing

@testable import SceneServer

@Suite("The idle detector")
struct IdleDetectorTests {
  private let client = AwaitedProcess.client(ConnectionIdentifier(1))
  private let millisecond: Int64 = 1_000_000
  private static let resting = ProcessActivity(.resting, runs: 3)

  private func isIdle(
    _ detector: inout IdleDetector, isCaughtUp: Bool = true,
    activity: ProcessActivity? = resting, at now: Int64
  ) -> Bool {
    detector.isIdle(client, isCaughtUp: isCaughtUp, activity: activity, at: now)
  }

  @Test("a process is idle when it did not run for 50 ms")
  func idle() {
    var detector = IdleDetector()
    #expect(!isIdle(&detector, at: 0))
    #expect(!isIdle(&detector, at: 49 * millisecond))
    #expect(isIdle(&detector, at: 50 * millisecond))
  }

  @Test("without information from the system, a process is idle after a second")
  func blind() {
    var detector = IdleDetector()
    #expect(!isIdle(&detector, activity: nil, at: 0))
    #expect(!isIdle(&detector, activity: nil, at: 999 * millisecond))
    #expect(isIdle(&detector, activity: nil, at: 1000 * millisecond))
  }

  @Test(
    "a process that runs, has run or has unread input starts a new wait",
    arguments: [
      (true, ProcessActivity(.running, runs: 3)), (true, ProcessActivity(.resting, runs: 4)),
      (false, ProcessActivity(.resting, runs: 3)),
    ])
  func anew(isCaughtUp: Bool, activity: ProcessActivity) {
    var detector = IdleDetector()
    _ = isIdle(&detector, at: 0)
    #expect(
      !isIdle(&detector, isCaughtUp: isCaughtUp, activity: activity, at: 60 * millisecond))
    #expect(!isIdle(&detector, at: 70 * millisecond))
  }

  @Test("the detector removes a process that is no longer awaited")
  func forgotten() {
    var detector = IdleDetector()
    _ = isIdle(&detector, at: 0)
    detector.keepOnly([])
    #expect(!isIdle(&detector, at: 60 * millisecond))
    detector.removeAll()
    #expect(!isIdle(&detector, at: 120 * millisecond))
  }
}
