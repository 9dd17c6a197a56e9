import ScenePlatform
import SceneModel
import Synchronization
import Testing

@testable import SceneClient

/// An application delegate whose broker does not do as it should.
struct DelegateClientTests {
  private final class Handler: DelegateHandler {
    func handle(_ number: Int64, _ callback: DelegateCallback) -> DelegateAnswer? { .done }
    func hear(_ notification: BrokerNotification) {}
    func hearPong() {}
    func hear(_ phase: LinkPhase) { Issue.record("it is not known how it is: \(phase)") }
  }

  private final class Attempts: Sendable {
    let count = Mutex(0)
    let client = Mutex<DelegateClient?>(nil)
  }

  @Test("a broker that ends before it has answered is none, and is not waited for")
  func unwelcome() throws {
    let attempts = Attempts()
    let settings = ClientSettings(name: "app", hosts: []) { () throws(SystemError) in
      let count = attempts.count.withLock { count in
        count += 1
        return count
      }
      // It is not to come again.
      if count > 1 { attempts.client.withLock { $0?.stop() } }
      var pair = try UnixSocket.pair()
      pair.takeFirst().close()
      return pair.takeSecond()
    }
    let client = try DelegateClient(settings)
    attempts.client.withLock { $0 = client }
    defer { attempts.client.withLock { $0 = nil } }
    let error = #expect(throws: SceneError.self) { try client.run(Handler()) }
    #expect(error?.code == .brokerUnavailable)
    #expect(attempts.count.withLock { $0 } == 1)
  }
}
