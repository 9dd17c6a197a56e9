import SceneModel
import Testing

@testable import SceneBroker

/// Requests that wait are found by what they wait for, without a look at the others.
struct WaitingTests {
  private func request(_ number: UInt64, _ cause: WaitingRequest.Cause) -> WaitingRequest {
    WaitingRequest(
      cause: cause, request: .connect(SceneConnect()),
      asker: Asker(connection: ConnectionIdentifier(number % 2), request: nil),
      fresh: SessionIdentifier(high: 0, low: number))
  }

  private func numbers(_ requests: [WaitingRequest]) -> [UInt64] { requests.map(\.fresh.low) }

  @Test("each is taken once, by any of its keys, and those of a key in the order they came")
  func keys() {
    let session = SessionIdentifier(high: 1, low: 1)
    let (one, two) = (ConnectionIdentifier(11), ConnectionIdentifier(12))
    var waiting = WaitingRequests()
    let inquiries = (0..<2).map { _ in waiting.nextInquiry() }
    waiting.add(request(1, .session(session)))
    waiting.add(request(2, .ends(of: [one, two], inquiries[0])))
    waiting.add(request(3, .answer(inquiries[1])))
    waiting.add(request(4, .session(session)))
    waiting.add(request(5, .ends(of: [two], inquiries[1])))
    #expect(numbers(waiting.take(.end(one))) == [2])
    #expect(numbers(waiting.take(.end(two))) == [5])
    #expect(waiting.take(.inquiry(inquiries[0])).isEmpty)
    #expect(waiting.isIndexed)
    #expect(waiting.waitForProcesses)
    #expect(numbers(waiting.take(.inquiry(inquiries[1]))) == [3])
    #expect(!waiting.waitForProcesses)
    #expect(numbers(waiting.take(.session(session))) == [1, 4])
    #expect(waiting.requests.isEmpty)
    #expect(waiting.isIndexed)
  }

  @Test("those of one asker are counted, and go with it")
  func askers() {
    let session = SessionIdentifier(high: 1, low: 1)
    var waiting = WaitingRequests()
    for number in UInt64(1)...5 { waiting.add(request(number, .session(session))) }
    #expect(waiting.count(of: ConnectionIdentifier(1)) == 3)
    #expect(numbers(waiting.take(.asker(ConnectionIdentifier(1)))) == [1, 3, 5])
    #expect(waiting.count(of: ConnectionIdentifier(1)) == 0)
    #expect(numbers(waiting.takeAll()) == [2, 4])
    #expect(waiting.isIndexed)
  }
}
