import SceneModel
import Testing

@testable import SceneClient

@Suite("The rules of an application delegate")
struct DelegateRuleTests {
  private static let question = Callback(.willFinishLaunching, Empty())

  private static func isPausing(_ actions: [ClientAction]) -> Bool {
    actions.wakes.contains(.reconnect)
  }

  private static func end(of actions: [ClientAction]) -> SceneError?? {
    for case .stop(let error) in actions { return .some(error) }
    return nil
  }

  private static func answers(in actions: [ClientAction]) -> [Int64] {
    actions.compactMap {
      if case .send(.answer(.number(let number), _)) = $0 { number } else { nil }
    }
  }

  @Test("the client sends initialize as the application delegate")
  func initialize() {
    var harness = MachineHarness(kind: .applicationDelegate)
    harness.take(.started)
    guard let message = harness.take(.opened).asked.first?.message as? Initialize else {
      Issue.record("the client sends no initialize")
      return
    }
    #expect(message.kind == .applicationDelegate)
  }

  @Test("the program gets each question, and each has one answer with its number")
  func answered() {
    var harness = MachineHarness.ready(.applicationDelegate)
    #expect(
      harness.take(.delegateAsked(7, Self.question)).delegateMessages == [
        .question(7, Self.question)
      ])
    #expect(Self.answers(in: harness.take(.delegateAnswered(8, .done))) == [])
    #expect(Self.answers(in: harness.take(.delegateAnswered(7, .done))) == [7])
    #expect(Self.answers(in: harness.take(.delegateAnswered(7, .done))) == [])
  }

  @Test("an answer is dropped after the connection of its question was lost")
  func lostQuestion() {
    var harness = MachineHarness.ready(.applicationDelegate)
    harness.take(.delegateAsked(7, Self.question))
    #expect(Self.isPausing(harness.take(.lost())))
    harness.meetAgain()
    #expect(Self.answers(in: harness.take(.delegateAnswered(7, .done))) == [])
  }

  @Test("the program gets all notifications, in order with the questions")
  func notifications() {
    var harness = MachineHarness.ready(.applicationDelegate)
    let notifications: [BrokerNotification] = [.memoryWarning, .phaseChanged(.active)]
    for notification in notifications {
      #expect(
        harness.take(.notified(notification)).delegateMessages == [.notification(notification)])
    }
  }

  @Test("an error of the first connection ends the client, unless it waits for a broker")
  func firstConnection() {
    let error = SceneError(.brokerUnavailable, "no", retry: .later)
    let refusal = SceneError(.delegateInUse, "no", retry: .later)
    for waits in [false, true] {
      func fails(_ events: (inout MachineHarness) -> [ClientAction]) -> SceneError.Code? {
        var harness = MachineHarness(kind: .applicationDelegate, waitsForBroker: waits)
        harness.take(.started)
        let actions = events(&harness)
        #expect(Self.isPausing(actions) == waits)
        return (Self.end(of: actions) ?? nil)?.code
      }
      #expect(fails { $0.take(.notOpened(error)) } == (waits ? nil : .brokerUnavailable))
      #expect(
        fails { harness in
          harness.take(.opened)
          return harness.take(.lost())
        } == (waits ? nil : .brokerUnavailable))
      #expect(
        fails { harness in
          harness.take(.opened)
          return harness.take(.replied(1, .failure(refusal)))
        } == (waits ? nil : .delegateInUse))
    }
  }

  @Test("the client reconnects after a loss, until an error is final")
  func again() {
    var harness = MachineHarness.ready(.applicationDelegate)
    let actions = harness.take(.lost())
    #expect(actions.updates == [.connection(.waiting)])
    harness.take(.due(.reconnect))
    let later = SceneError(.brokerUnavailable, "no", retry: .later)
    #expect(Self.isPausing(harness.take(.notOpened(later))))
    harness.take(.due(.reconnect))
    harness.take(.opened)
    #expect(Self.isPausing(harness.take(.lost())))
    harness.take(.due(.reconnect))
    let never = SceneError(.notPermitted, "no", retry: .never)
    #expect((Self.end(of: harness.take(.notOpened(never))) ?? nil)?.code == .notPermitted)
  }

  @Test("the end of the connection after willTerminate ends the client without an error")
  func termination() {
    var harness = MachineHarness.ready(.applicationDelegate)
    harness.take(.delegateAsked(7, Callback(.willTerminate, Empty())))
    harness.take(.delegateAnswered(7, .done))
    let actions = harness.take(.lost())
    #expect(Self.end(of: actions) == .some(nil))
    #expect(actions.updates == [.connection(.stopped(nil))])
  }

  @Test("a request fails when its connection is lost, and is not repeated")
  func ping() {
    var harness = MachineHarness.ready(.applicationDelegate)
    let token = harness.token()
    #expect(harness.take(.requested(token, ClientRequest(Ping()))).asked.count == 1)
    #expect(harness.take(.lost()).finished[token]?.code == .connectionLost)
    #expect(harness.meetAgain().asked == [])
  }

  @Test("stop ends the client at once")
  func stop() {
    var harness = MachineHarness.ready(.applicationDelegate)
    harness.take(.delegateAsked(7, Self.question))
    #expect(Self.end(of: harness.take(.stopped())) == .some(nil))
  }
}
