import SceneModel

/// Requests that the broker cannot decide yet.
///
/// Each request waits for a cause. `fulfill` moves the requests of a cause to the ready queue, in
/// the order in which they came. The broker retries the ready requests at the end of the event.
///
/// - A request is either waiting or ready.
/// - `index` has each waiting request under each of its keys.
struct DeferredRequests {
  private var waiting: [UInt64: DeferredRequest] = [:]
  private var index: [DeferredRequest.Key: Set<UInt64>] = [:]
  private var ready: ArraySlice<DeferredRequest> = []
  private var lastNumber: UInt64 = 0
  private var lastLivenessQuery: UInt64 = 0
  /// Whether the timer of the next liveness poll is set.
  private var isPolling = false

  // MARK: - Waiting

  mutating func add(
    _ request: DeferredRequest.Request, _ attempt: Attempt, until cause: DeferredRequest.Cause
  ) {
    var attempt = attempt
    // A cause of another kind changes the situation, so the next try queries every process again.
    if !cause.isAboutProcesses { attempt.queried = [] }
    lastNumber += 1
    insert(DeferredRequest(cause: cause, request: request, attempt: attempt), lastNumber)
  }

  /// The requests of a query now wait until one of these connections is gone.
  mutating func waitForEnd(
    of connections: [ConnectionIdentifier], insteadOf query: LivenessQueryIdentifier
  ) {
    for number in numbers(.livenessQuery(query)) {
      guard var request = remove(number) else { continue }
      request.cause = .ends(of: connections, query)
      insert(request, number)
    }
  }

  /// Changes the content of a request that waits for the delegate.
  mutating func replace(_ request: DeferredRequest.Request, for session: SessionIdentifier) {
    guard let number = numberAwaitingDelegate(for: session) else { return }
    waiting[number]?.request = request
  }

  /// Removes a request that waits for the delegate.
  mutating func remove(for session: SessionIdentifier) -> DeferredRequest? {
    numberAwaitingDelegate(for: session).flatMap { remove($0) }
  }

  /// Removes the requests of a closed connection and returns them. The first `limit` of those that
  /// outlive their connection stay, and keep their place.
  mutating func removeRequests(
    of connection: ConnectionIdentifier, keeping limit: Int
  ) -> [DeferredRequest] {
    var removed: [DeferredRequest] = []
    for number in numbers(.requester(connection)) {
      guard var request = remove(number) else { continue }
      if request.outlivesRequester, count(of: Requester.disconnected.connection) < limit {
        request.attempt.requester = .disconnected
        insert(request, number)
      } else {
        removed.append(request)
      }
    }
    return removed
  }

  mutating func removeAll() -> [DeferredRequest] {
    defer { (waiting, index) = ([:], [:]) }
    return requests
  }

  // MARK: - Liveness queries

  /// A request waits for a previous holder. Returns whether to set the timer of the next poll.
  mutating func beginPoll() -> Bool {
    defer { isPolling = true }
    return !isPolling
  }

  /// The timer of the poll has expired. Returns the sessions of these that a request waits for.
  mutating func endPoll(of reserved: [SessionIdentifier]) -> [SessionIdentifier] {
    isPolling = false
    return reserved.filter { index[.session($0)] != nil }
  }

  /// A number for a query about processes.
  mutating func nextLivenessQuery() -> LivenessQueryIdentifier {
    lastLivenessQuery += 1
    return LivenessQueryIdentifier(number: lastLivenessQuery)
  }

  // MARK: - The ready queue

  var hasReady: Bool { !ready.isEmpty }

  /// Moves the requests that wait for this to the ready queue.
  mutating func fulfill(_ key: DeferredRequest.Key) {
    for number in numbers(key) {
      if let request = remove(number) { ready.append(request) }
    }
  }

  /// Moves the requests that wait for the end of this connection to the ready queue. Returns the
  /// queries whose timeout is obsolete.
  mutating func fulfill(endOf connection: ConnectionIdentifier) -> [LivenessQueryIdentifier] {
    var obsolete: [LivenessQueryIdentifier] = []
    for number in numbers(.end(connection)) {
      guard var request = remove(number) else { continue }
      if let query = request.pendingTimeout { obsolete.append(query) }
      request.attempt.queried = []
      ready.append(request)
    }
    return obsolete
  }

  mutating func popReady() -> DeferredRequest? { ready.popFirst() }

  // MARK: - Lookup

  /// All waiting requests, in the order in which they came.
  var requests: [DeferredRequest] { waiting.sorted { $0.key < $1.key }.map(\.value) }

  /// Whether any request waits for an answer about processes, or for the end of one.
  var awaitsProcesses: Bool { waiting.values.contains { $0.cause.isAboutProcesses } }

  func count(_ key: DeferredRequest.Key) -> Int { index[key]?.count ?? 0 }

  func count(of connection: ConnectionIdentifier) -> Int { count(.requester(connection)) }

  /// The oldest request that waits for this.
  func first(_ key: DeferredRequest.Key) -> DeferredRequest? {
    index[key]?.min().flatMap { waiting[$0] }
  }

  /// The request that waits for the delegate and may create this session.
  func request(for session: SessionIdentifier) -> DeferredRequest? {
    numberAwaitingDelegate(for: session).flatMap { waiting[$0] }
  }

  /// Every invariant of this part that does not hold, as a sentence.
  var flaws: [String] {
    var expected: [DeferredRequest.Key: Set<UInt64>] = [:]
    for (number, request) in waiting {
      for key in request.keys { expected[key, default: []].insert(number) }
    }
    return index == expected ? [] : ["the index of causes differs from the deferred requests"]
  }

  // MARK: - The index

  private func numbers(_ key: DeferredRequest.Key) -> [UInt64] {
    index.isEmpty ? [] : index[key]?.sorted() ?? []
  }

  private func numberAwaitingDelegate(for session: SessionIdentifier) -> UInt64? {
    index[.delegate]?.first { waiting[$0]?.attempt.identifier == session }
  }

  private mutating func insert(_ request: DeferredRequest, _ number: UInt64) {
    waiting[number] = request
    for key in request.keys { index[key, default: []].insert(number) }
  }

  private mutating func remove(_ number: UInt64) -> DeferredRequest? {
    guard let request = waiting.removeValue(forKey: number) else { return nil }
    for key in request.keys {
      index[key]?.remove(number)
      if index[key]?.isEmpty == true { index[key] = nil }
    }
    return request
  }
}

/// A request and the cause that it waits for.
struct DeferredRequest: Equatable {
  enum Cause: Equatable {
    /// The answer to a query.
    case answer(LivenessQueryIdentifier)
    /// The end of one of these connections, whose processes are about to end.
    case ends(of: [ConnectionIdentifier], LivenessQueryIdentifier)
    /// The session is unattached, decided, or no longer reserved for another process.
    case session(SessionIdentifier)
    /// The application delegate has launched.
    case delegate

    var isAboutProcesses: Bool {
      switch self {
      case .answer, .ends: true
      case .session, .delegate: false
      }
    }
  }

  /// A key in the index of waiting requests.
  enum Key: Hashable {
    case requester(ConnectionIdentifier)
    case livenessQuery(LivenessQueryIdentifier)
    case end(ConnectionIdentifier)
    case session(SessionIdentifier)
    case delegate
  }

  enum Request: Equatable {
    case connect(SceneConnect)
    case activate(RequestActivation)
    indirect case open(ApplicationOpen)
    case refresh(RequestRefresh)
    case transition(SceneTransition)
    /// From a client that wants to be the application delegate.
    indirect case initialize(Initialize)

    /// The same activation for a session that the broker has chosen.
    func naming(_ session: SessionIdentifier) -> Request {
      switch self {
      case .activate(var message):
        message.session = session
        return .activate(message)
      case .open(var message):
        message.session = session
        return .open(message)
      case .connect, .refresh, .transition, .initialize: return self
      }
    }
  }

  fileprivate(set) var cause: Cause
  fileprivate(set) var request: Request
  fileprivate(set) var attempt: Attempt

  var requester: Requester { attempt.requester }

  var keys: [Key] {
    let awaited: [Key] =
      switch cause {
      case .answer(let query): [.livenessQuery(query)]
      case .ends(let connections, let query):
        connections.map(Key.end) + [.livenessQuery(query)]
      case .session(let session): [.session(session)]
      case .delegate: [.delegate]
      }
    return awaited + [.requester(requester.connection)]
  }

  /// The query whose timeout runs.
  var pendingTimeout: LivenessQueryIdentifier? {
    if case .ends(_, let query) = cause { query } else { nil }
  }

  /// Whether the broker performs the request after its connection has closed. A request that makes
  /// the requester a scene or a delegate ends with the connection.
  fileprivate var outlivesRequester: Bool {
    switch request {
    case .activate, .open, .refresh, .transition: true
    case .connect, .initialize: false
    }
  }
}
