import SceneCommandLine
import SceneControl
import SceneModel
import ScenePlatform

/// The wait for the end of a broker during `scenectl shutdown`.
struct ShutdownWait {
  private let start = SystemClock.monotonic()
  private let pid: Int64
  private var statusNumber: Int64?
  private var listNumbers: [Int64] = []
  private var sceneCount = 0
  /// The labels of some scenes that have not disconnected.
  private var scenes: [String] = []

  /// The time between two queries, in nanoseconds.
  private static let interval: Int64 = 500_000_000
  private static let longestList = 20

  init(pid: Int64) { self.pid = pid }

  /// Returns when the broker has closed the connection; false at the deadline.
  mutating func run(
    _ broker: ControlConnection, until deadline: Int64?, showing progress: ProgressLine
  ) throws -> Bool {
    while true {
      ask(broker)
      let next = SystemClock.monotonic() + Self.interval
      if try broker.waitForEnd(until: min(deadline ?? .max, next)) { return true }
      if let deadline, SystemClock.monotonic() >= deadline { return false }
      try readAnswers(of: broker)
      progress.show(text)
    }
  }

  /// A broker that waits for its disk does not reply, so at most one query of a kind is open.
  private mutating func ask(_ broker: ControlConnection) {
    guard statusNumber == nil else { return }
    statusNumber = broker.post(ApplicationStatus())
    listNumbers = [ActivationState.foregroundActive, .foregroundInactive, .background].map {
      broker.post(SessionList(state: $0, limit: Self.longestList))
    }
  }

  private mutating func readAnswers(of broker: ControlConnection) throws {
    guard let number = statusNumber, broker.isAnswered(number),
      listNumbers.allSatisfy(broker.isAnswered)
    else { return }
    statusNumber = nil
    sceneCount = try ControlConnection.read(
      ApplicationStatus.Reply.self, from: try broker.result(of: number)
    ).scenes
    scenes = []
    for number in listNumbers {
      let page = try ControlConnection.read(
        SessionList.Reply.self, from: try broker.result(of: number))
      scenes += page.sessions.map(\.label)
    }
  }

  private var text: String {
    let seconds = (SystemClock.monotonic() - start) / 1_000_000_000
    guard sceneCount > 0 else {
      return "waiting \(seconds) s for the broker to end; to end it at once: kill \(pid)"
    }
    let shown = scenes.joined(separator: ", ")
    let more = sceneCount > scenes.count ? ", …" : ""
    return "waiting \(seconds) s for \(counted(sceneCount, "scene", "scenes")) to disconnect: "
      + shown + more
  }
}
