import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneClient

/// The messages that the library reports by itself, with a stub broker.
struct LogTests {
  private let broker = StubBroker()
  private let records = ConditionMutex<[SceneLogRecord]>([])

  private func application(_ delegateClasses: String...) throws -> SceneApplication {
    let make: SceneApplication.DelegateFactory = { PlainDelegate() }
    let delegates = Dictionary(uniqueKeysWithValues: delegateClasses.map { ($0, make) })
    let application = SceneApplication(
      name: "notes", delegates: delegates,
      log: { [records] record in records.withLock { $0.append(record) } }
    ) { [broker] () throws(SystemError) in try broker.connect() }
    try application.start()
    return application
  }

  private func record() throws -> SceneLogRecord {
    let deadline = SystemClock.monotonic() + ceiling
    let record = records.wait(until: deadline) { $0.isEmpty ? nil : $0.removeFirst() }
    guard let record else { throw Unmet("the library has logged nothing") }
    return record
  }

  @Test("the log receives the error of a scene without a delegate class")
  func delegateClass() throws {
    let application = try application("Note", "List")
    defer { application.stop() }
    let end = try broker.meet()
    try end.call(.willConnect(packing))
    let record = try record()
    #expect(record.level == .warning)
    #expect(record.error?.code == .noDelegateClass)
    #expect(record.message.hasPrefix("no delegate class for configuration "))
    #expect(record.message == record.error?.message)
  }

  private struct Moved: UpdateEvent, Codable {}

  @Test("the log receives the refusal of an observation")
  func observation() throws {
    let application = try application("Note")
    defer { application.stop() }
    let end = try broker.meet()
    let events = application.events(of: Moved.self)
    try end.refuse(try end.request().0, .tooMany, "too many topics")
    let record = try record()
    #expect(record.error?.code == .tooMany)
    #expect(record.message == "events of topic Moved not observed: too many topics")
    withExtendedLifetime(events) {}
  }

  @Test("the log receives the refusal of an assigned userInfo, with escaped control characters")
  func userInfo() throws {
    let application = try application("Note")
    defer { application.stop() }
    let end = try broker.meet()
    try end.bring(packing)
    let scene = try #require(application.connectedScenes.first)
    scene.session.userInfo = ["line": 42]
    try end.refuse(try end.request().0, .storageFull, "full\u{1b}[31m")
    let record = try record()
    #expect(record.level == .warning)
    #expect(record.error?.code == .storageFull)
    #expect(
      record.message == "userInfo of session \(packing.short) not saved: full\\u001b[31m")
  }
}
