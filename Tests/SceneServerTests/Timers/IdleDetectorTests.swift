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
    detector.areIdle(
      [ProcessSample(process: client, isCaughtUp: isCaughtUp, activity: activity)], at: now)
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

  @Test("all awaited processes must be idle, and their idle times run in parallel")
  func several() {
    var detector = IdleDetector()
    let samples = [client, .program(ClientProcess(pid: 7, startTime: 1))].map {
      ProcessSample(process: $0, isCaughtUp: true, activity: Self.resting)
    }
    var outcomes = [detector.areIdle(Array(samples.prefix(1)), at: 0)]
    for time: Int64 in [10, 59, 60] {
      outcomes.append(detector.areIdle(samples, at: time * millisecond))
    }
    #expect(outcomes == [false, false, false, true])
  }

  @Test("the detector removes a process that is no longer awaited")
  func forgotten() {
    var detector = IdleDetector()
    _ = isIdle(&detector, at: 0)
    let isNoneAwaited = detector.areIdle([], at: 10 * millisecond)
    #expect(isNoneAwaited)
    #expect(!isIdle(&detector, at: 60 * millisecond))
    detector.removeAll()
    #expect(!isIdle(&detector, at: 120 * millisecond))
  }
}
