import SceneJSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import SceneWire
import Testing

@testable import SceneClient

/// The client of an application delegate, with a stub broker.
struct DelegateClientTests {
  private final class Handler: DelegateHandler, Sendable {
    private let entries = ConditionMutex<[String]>([])
    private let numbers = ConditionMutex<[Int64]>([])
    /// Whether the delegate answers questions later.
    let answersLater: Bool

    init(answersLater: Bool = false) { self.answersLater = answersLater }

    private func add(_ call: String) { entries.withLock { $0.append(call) } }

    func handle(_ number: Int64, _ callback: Callback) -> DelegateAnswer? {
      numbers.withLock { $0.append(number) }
      add("\(callback.kind)")
      return answersLater ? nil : .done
    }

    func didReceive(_ notification: BrokerNotification) { add("\(notification.method)") }
    func didReceivePong() { add("pong") }
    func didReceive(_ state: SceneApplication.ConnectionState) { add("\(state)") }

    /// The calls so far, when there are `count`.
    func calls(_ count: Int) throws -> [String] {
      let deadline = SystemClock.monotonic() + ceiling
      let found = entries.wait(until: deadline) { $0.count >= count ? $0 : nil }
      guard let found else { throw Unmet("there are not \(count) calls") }
      return found
    }

    func number() throws -> Int64 {
      let deadline = SystemClock.monotonic() + ceiling
      guard let number = numbers.wait(until: deadline, for: { $0.last }) else {
        throw Unmet("no question arrived")
      }
      return number
    }
  }

  /// A client that runs on its own thread.
  private final class Running: Sendable {
    let client: DelegateClient
    private let result = ConditionMutex<Result<Void, SceneError>?>(nil)

    init(_ broker: StubBroker, _ handler: Handler) throws {
      client = DelegateClient(
        ClientSettings(name: "app", hosts: []) { () throws(SystemError) in try broker.connect() })
      _ = try Thread("delegate") { [self] in
        let result = Result { () throws(SceneError) in try client.run(handler) }
        self.result.withLock { $0 = result }
      }
    }

    /// Returns after `run` has returned.
    func end() throws {
      let result = result.wait(until: SystemClock.monotonic() + ceiling) { $0 }
      guard let result else { throw Unmet("the client did not end") }
      try result.get()
    }
  }

  @Test("the client reconnects, and does not send an old answer on the new connection")
  func returns() throws {
    let broker = StubBroker()
    let handler = Handler(answersLater: true)
    let running = try Running(broker, handler)
    let first = try broker.meet()
    try first.call(Callback(.willFinishLaunching, Empty()))
    let lost = try handler.number()
    first.vanish()
    #expect(try handler.calls(3) == ["connected", "willFinishLaunching", "waiting"])
    let second = try broker.meet()
    #expect(try handler.calls(4).last == "connected")
    running.client.answer(lost, .failed(message: "too late"))
    let question = try second.call(Callback(.didFinishLaunching, DidFinishLaunching()))
    #expect(try handler.calls(5).last == "didFinishLaunching")
    running.client.answer(try handler.number(), .launched(accepted: false))
    let (number, text) = try second.answer()
    #expect(number == question)
    #expect(text == #"{"accepted":false}"#)
    running.client.stop()
    #expect(try second.next() == nil)
    try running.end()
  }

  @Test("a callback of a scene is answered with methodNotFound")
  func unknown() throws {
    let broker = StubBroker()
    let running = try Running(broker, Handler())
    let end = try broker.meet()
    try end.call(Callback(.willEnterForeground, of: packing))
    guard case .failure(_, let error)? = try end.next() else {
      throw Unmet("the callback was accepted")
    }
    #expect(
      error.description
        == #"{"code":-32601,"message":"this client has no method scene/willEnterForeground"}"#)
    running.client.stop()
    try running.end()
  }

  @Test("a pong arrives after the earlier messages, and without a broker there is no pong")
  func ping() throws {
    let broker = StubBroker()
    let handler = Handler()
    let running = try Running(broker, handler)
    let end = try broker.meet()
    #expect(try handler.calls(1) == ["connected"])
    #expect(running.client.ping())
    // The stub broker answers the ping while it waits for the answer to its question.
    try end.notify(.memoryWarning)
    #expect(try end.ask(Callback(.willFinishLaunching, Empty())) == "{}")
    #expect(
      try handler.calls(4) == [
        "connected", BrokerNotification.memoryWarning.method.description, "willFinishLaunching",
        "pong",
      ])
    running.client.stop()
    try running.end()
    #expect(!running.client.ping())
  }

  @Test("a client that was stopped before its run ends at once")
  func stopped() throws {
    let client = DelegateClient(
      ClientSettings(name: "app", hosts: []) { () throws(SystemError) in
        throw SystemError(call: "connect", code: .connectionRefused)
      })
    client.stop()
    let handler = Handler()
    try client.run(handler)
    #expect(try handler.calls(0) == [])
  }
}
