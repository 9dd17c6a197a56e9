import SceneModel
import Testing

@testable import SceneBroker

struct DeferredRequestsTests {
  private let session = SessionIdentifier(high: 1, low: 1)
  private let one = ConnectionIdentifier(11)
  private let two = ConnectionIdentifier(12)
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

  private mutating func ready() -> [UInt64] {
    var requests: [DeferredRequest] = []
    while let request = deferred.popReady() { requests.append(request) }
    return numbers(requests)
  }

  @Test("a cause makes its requests ready once, in the order of arrival")
  mutating func keys() {
    let livenessQueries = (0..<2).map { _ in deferred.nextLivenessQuery() }
    add(1, until: .session(session))
    add(2, until: .ends(of: [one, two], livenessQueries[0]))
    add(3, until: .answer(livenessQueries[1]))
    add(4, until: .session(session))
    add(5, until: .ends(of: [two], livenessQueries[1]))
    #expect(deferred.fulfill(endOf: one) == [livenessQueries[0]])
    #expect(deferred.fulfill(endOf: two) == [livenessQueries[1]])
    #expect(ready() == [2, 5])
    deferred.fulfill(.livenessQuery(livenessQueries[0]))
    #expect(!deferred.hasReady && deferred.flaws.isEmpty && deferred.awaitsProcesses)
    deferred.fulfill(.livenessQuery(livenessQueries[1]))
    #expect(!deferred.awaitsProcesses)
    deferred.fulfill(.session(session))
    #expect(ready() == [3, 1, 4])
    #expect(deferred.requests.isEmpty && deferred.flaws.isEmpty)
  }

  @Test("a request that waits again goes behind the requests that are ready")
  mutating func deferredAgain() {
    for number in UInt64(1)...2 { add(number, until: .session(session)) }
    deferred.fulfill(.session(session))
    #expect(numbers([deferred.popReady()].compactMap(\.self)) == [1])
    add(1, until: .session(session))
    deferred.fulfill(.session(session))
    #expect(ready() == [2, 1])
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

  @Test("a request keeps its place when it waits for the end of a process")
  mutating func ends() {
    let query = deferred.nextLivenessQuery()
    add(1, until: .answer(query))
    add(2, until: .ends(of: [one], deferred.nextLivenessQuery()))
    deferred.waitForEnd(of: [one, two], insteadOf: query)
    #expect(deferred.flaws.isEmpty)
    #expect(deferred.requests[0].pendingTimeout == query)
    #expect(deferred.fulfill(endOf: one).count == 2)
    #expect(ready() == [1, 2])
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

  @Test("a request that waits for the delegate is found by its session")
  mutating func delegate() {
    add(1, until: .session(session))
    add(2, until: .delegate)
    add(3, until: .delegate)
    #expect(deferred.request(for: attempt(1).identifier) == nil)
    let new = DeferredRequest.Request.connect(SceneConnect(new: true))
    deferred.replace(new, for: attempt(2).identifier)
    #expect(deferred.first(.delegate)?.request == new)
    #expect(numbers([deferred.remove(for: attempt(2).identifier)].compactMap(\.self)) == [2])
    #expect(deferred.count(.delegate) == 1)
    #expect(deferred.flaws.isEmpty)
  }

  private mutating func beginPoll() -> Bool { deferred.beginPoll() }

  @Test("one timer of the liveness poll runs at a time, and the poll is about awaited sessions")
  mutating func poll() {
    add(1, until: .session(session))
    #expect(beginPoll())
    #expect(!beginPoll())
    let other = SessionIdentifier(high: 1, low: 2)
    let awaited = deferred.endPoll(of: [other, session])
    #expect(awaited == [session])
    #expect(beginPoll())
  }
}
