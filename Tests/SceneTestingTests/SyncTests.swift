import SceneClient
import ScenePlatform
import SceneTestSupport
import SceneTesting
import Testing

/// Swift scenes stay in sync, even after a crash.
@Suite("Scenes in sync, in Swift")
struct SyncTests {
  enum ChatEvent: UpdateEvent {
    static let topic = "Chat"
    case added(text: String)

    var kind: String? { "added" }
    var payload: UserInfo {
      switch self {
      case .added(let text): ["text": text]
      }
    }

    init?(kind: String?, payload: UserInfo) {
      guard kind == "added", let text = payload["text"] as? String else { return nil }
      self = .added(text: text)
    }

    init(_ text: String) { self = .added(text: text) }

    var text: String {
      switch self {
      case .added(let text): text
      }
    }
  }

  /// Iterates over the events of its scene, and is refreshed.
  private final class Delegate: SceneDelegate {
    let lines: ConditionMutex<[String]>

    init(_ lines: ConditionMutex<[String]>) { self.lines = lines }

    func scene(
      _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
    ) throws {
      let lines = lines
      let events = scene.events(
        of: ChatEvent.self, onGap: { lines.withLock { $0.append("gap") } })
      Task {
        for await event in events {
          lines.withLock { $0.append(event.text) }
        }
        lines.withLock { $0.append("end") }
      }
    }

    func sceneNeedsRefresh(_ scene: Scene) { lines.withLock { $0.append("refresh") } }
  }

  private func wait(for expected: [String], in lines: ConditionMutex<[String]>) {
    let deadline = SystemClock.monotonic() + ceiling
    // The task and the delegate run independently.
    let isSaid = lines.wait(until: deadline) { $0.sorted() == expected.sorted() ? true : nil }
    #expect(isSaid == true, "\(lines.withLock { $0 })")
    lines.withLock { $0 = [] }
  }

  @Test("F76, F77, F80: a typed event reaches the sender's own scene; what has no type does not")
  func posts() async throws {
    try await withBroker { broker in
      let lines = ConditionMutex<[String]>([])
      let application = try await broker.application(
        "chat", delegates: ["*": { Delegate(lines) }], request: SceneRequest(.named("window")))
      let scene = try #require(application.connectedScenes.first)
      try await broker.expect("window foregroundActive")
      try await ChatEvent("hello").post(from: scene)
      wait(for: ["hello"], in: lines)
      try await broker.scenectl("post", "Chat", "unknown", "{}")
      try await broker.scenectl("post", "Chat", "added", #"{"text": "from outside"}"#)
      wait(for: ["from outside"], in: lines)
      try await scene.move(to: .unattached)
      wait(for: ["end"], in: lines)
    }
  }

  @Test("an observation begins with the call and ends with its iteration")
  func begins() async throws {
    try await withBroker { broker in
      let application = try await broker.application(
        "chat", delegates: ["*": { Delegate(ConditionMutex([])) }], request: nil)
      func observe() async throws {
        let events = application.events(of: ChatEvent.self)
        try await ChatEvent("one").post(from: application)
        var first = events.makeAsyncIterator()
        #expect(await first.next(isolation: #isolation)?.text == "one")
        // A second observer receives the events from then on.
        var second = application.events(of: ChatEvent.self).makeAsyncIterator()
        try await ChatEvent("two").post(from: application)
        #expect(await first.next(isolation: #isolation)?.text == "two")
        #expect(await second.next(isolation: #isolation)?.text == "two")
      }
      try await observe()
      try await observe()
      try await broker.settle()
      #expect(try await broker.trace().map(\.event).filter { $0 == "ceased" }.count == 2)
    }
  }

  @Test(
    "F81, F83: an observation continues with the next broker, pauses in the background, and is refreshed"
  )
  func survives() async throws {
    try await withBroker { broker in
      let lines = ConditionMutex<[String]>([])
      let application = try await broker.application(
        "chat", delegates: ["*": { Delegate(lines) }], request: SceneRequest(.named("window")))
      try await broker.kill()
      try await broker.start()
      try await broker.expect("window foregroundActive")
      // The event was only in memory, so it is lost with the broker, and the scene receives a gap.
      try await broker.scenectl("post", "Chat", "added", #"{"text": "two"}"#)
      wait(for: ["gap", "two"], in: lines)
      try await broker.scenectl("background", "window")
      try await broker.scenectl("post", "Chat", "added", #"{"text": "three"}"#)
      try await application.requestSceneSessionRefresh(
        try #require(try await broker.session("window")))
      try await broker.settle()
      wait(for: ["three", "refresh"], in: lines)
    }
  }
}
