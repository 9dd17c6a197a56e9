import SceneControlTestSupport
import SceneModel
import ScenePlatform
import Testing

@testable import SceneCommands

@Suite("The content of scenectl top")
struct TopModelTests {
  private static func entry(
    _ event: TraceEvent, _ session: Int = 1, callback: String? = nil, time: Int64 = 1000
  ) -> BrokerNotification {
    var entry = TraceEntry(event)
    entry.session = identifier(session)
    entry.callback = callback
    entry.time = time
    return .trace(entry)
  }

  @Test("a session waits for the oldest callback without an answer")
  func waits() {
    var model = TopModel()
    func wait() -> String? { model.wait(of: identifier(1))?.what }
    model.take([summary(1)])
    #expect(wait() == nil)
    model.take(Self.entry(.callback, callback: "didEnterBackground"))
    model.take(Self.entry(.callback, callback: "refresh", time: 2000))
    #expect(wait() == "didEnterBackground")
    #expect(model.wait(of: identifier(1))?.since == 1000)
    model.take(Self.entry(.acknowledged, callback: "didEnterBackground"))
    #expect(wait() == "refresh")
    model.take(Self.entry(.failed, callback: "refresh"))
    #expect(wait() == nil)
    model.take(Self.entry(.launched))
    #expect(wait() == "launch")
    model.take(Self.entry(.connected))
    #expect(wait() == nil)
    model.take(Self.entry(.callback, callback: "willConnect"))
    model.take(Self.entry(.disconnected))
    #expect(wait() == nil)
  }

  @Test("the line of a kept program tells since when no window shows it")
  func detached() {
    var session = summary(1)
    session.client = ClientReference(name: "make", pid: 14052)
    session.client?.terminal = KeptTerminal(attached: 0, detached: .hangup, since: 1000)
    var model = TopModel()
    model.take([session])
    let line = model.rows(at: 301_000, usage: TopUsage()).first?.detail
    #expect(line?.contains("make 14052, detached 5m ago") == true)
  }

  @Test("a short wait is not shown")
  func shortWait() {
    var model = TopModel()
    model.take([summary(1)])
    model.take(Self.entry(.callback, callback: "refresh"))
    func shown(at now: Int64) -> String? {
      model.rows(at: now, usage: TopUsage(), shortestWait: 1000).first?[.wait]
    }
    #expect(shown(at: 1999) == "-")
    #expect(shown(at: 2000) == "1s refresh")
  }

  @Test("sessions come in the order of their use, and a discarded one is gone")
  func order() {
    var model = TopModel()
    var (one, two) = (summary(1, name: "one"), summary(2, name: "two"))
    (one.lastUsed, two.lastUsed) = (1, 2)
    model.take([one, two])
    func names() -> [String] { model.rows(at: 9, usage: TopUsage()).map { $0[.name] } }
    #expect(names() == ["two", "one"])
    one.lastUsed = 3
    model.take(.sessionChanged(one))
    #expect(names() == ["one", "two"])
    model.take(.sessionDiscarded(identifier(1)))
    #expect(names() == ["two"])
  }

  // MARK: - Memory and CPU

  private static func usage(
    _ pid: Int32, parent: Int32 = 1, cpu: Int64, bytes: Int64 = 100
  ) -> ProcessUsage {
    ProcessUsage(
      process: ProcessIdentity(pid: pid, startTime: UInt64(pid)), parent: parent, cpuTime: cpu,
      residentBytes: bytes)
  }

  @Test("a client stands for its process and all descendants")
  func descendants() {
    let client = ClientReference(name: "scene", pid: 10)
    var usage = TopUsage()
    usage.take(
      [Self.usage(10, cpu: 50), Self.usage(11, parent: 10, cpu: 100), Self.usage(12, cpu: 900)],
      at: 1000, of: [client])
    #expect(usage.value(of: client) == .init(residentBytes: 200, percent: nil))
    // Process 13 has started since.
    usage.take(
      [
        Self.usage(10, cpu: 60), Self.usage(11, parent: 10, cpu: 120),
        Self.usage(12, cpu: 990), Self.usage(13, parent: 11, cpu: 20),
      ], at: 1100, of: [client])
    #expect(usage.value(of: client) == .init(residentBytes: 300, percent: 50))
  }

  @Test("a process that only has the same ID is not the client")
  func otherProcess() {
    var client = ClientReference(name: "scene", pid: 10)
    client.startTime = 9
    var usage = TopUsage()
    usage.take([Self.usage(10, cpu: 50)], at: 1000, of: [client])
    #expect(usage.value(of: client) == nil)
  }

  @Test(
    "memory and CPU have one unit",
    arguments: [
      (Int64(640) << 10, "640K"), (12 << 20, "12M"), (1 << 30, "1.0G"), (20 << 30, "20G"),
      (0, "0K"),
    ])
  func memory(bytes: Int64, text: String) { #expect(TopUsage.text(ofBytes: bytes) == text) }

  @Test("CPU has a tenth below ten", arguments: [(0.04, "0.0%"), (9.94, "9.9%"), (99.6, "100%")])
  func percent(percent: Double, text: String) {
    #expect(TopUsage.text(ofPercent: percent) == text)
  }
}
