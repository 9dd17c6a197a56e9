import SceneModel
import Testing

@testable import SceneBroker

struct DeferredRequestsTests {
  private let session = SessionIdentifier(high: 1, low: 1)
  private let one = ConnectionIdentifier(11)
  private var deferred = DeferredRequests()

  /// The attempt of a request with this number. Odd numbers belong to connection 21, others to 20.
  private func attempt(_ number: UInt64) -> Attempt {
    Attempt(
      requester: Requester(connection: ConnectionIdentifier(number % 2 + 20), request: nil),
      identifier: SessionIdentifier(high: 0, low: number),
      queried: [ClientProcess(pid: Int64(number), startTime: 7)])
  }

  private mutating func add(
    _ number: UInt64, until cause: DeferredRequest.Cause,
    _ request: DeferredRequest.Request = .connect(SceneConnect())
  ) { deferred.add(request, attempt(number), until: cause) }

  private func numbers(_ requests: [DeferredRequest]) -> [UInt64] {
    requests.map(\.attempt.identifier.low)
  }

  @Test("requests of a closed connection are removed; those that outlive it keep their place")
  mutating func closed() {
    for number in UInt64(1)...3 { add(number, until: .session(session)) }
    for number in UInt64(4)...7 {
      add(number, until: .session(session), .activate(RequestActivation()))
    }
    let closed = attempt(1).requester.connection
    #expect(deferred.count(of: closed) == 4)
    #expect(numbers(deferred.removeRequests(of: closed, keeping: 1)) == [1, 3, 7])
    #expect(deferred.count(of: closed) == 0)
    #expect(deferred.count(of: Requester.disconnected.connection) == 1)
    #expect(numbers(deferred.requests) == [2, 4, 5, 6])
    #expect(deferred.flaws.isEmpty)
    #expect(numbers(deferred.removeAll()) == [2, 4, 5, 6])
    #expect(deferred.flaws.isEmpty)
  }

  @Test("processes count as queried until a cause of another kind changes the situation")
  mutating func queried() {
    let query = deferred.nextLivenessQuery()
    add(1, until: .answer(query))
    add(2, until: .session(session))
    deferred.fulfill(.livenessQuery(query))
    deferred.fulfill(.session(session))
    #expect(deferred.popReady()?.attempt.queried == attempt(1).queried)
    #expect(deferred.popReady()?.attempt.queried == [])
    add(3, until: .ends(of: [one], query))
    #expect(deferred.fulfill(endOf: one) == [query])
    #expect(deferred.popReady()?.attempt.queried == [])
  }
}
