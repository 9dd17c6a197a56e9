import SceneModel

/// Requests that cannot be decided yet, each found by what it waits for and by who asked.
struct WaitingRequests {
  /// By their numbers, which say in which order they came.
  private var byNumber: [UInt64: WaitingRequest] = [:]
  private var index: [WaitingRequest.Key: Set<UInt64>] = [:]
  private var lastNumber: UInt64 = 0
  private var lastInquiry: UInt64 = 0

  /// All of them, in the order in which they came.
  var requests: [WaitingRequest] { byNumber.sorted { $0.key < $1.key }.map(\.value) }

  /// Whether any waits for an answer about processes, or for the end of one.
  var waitForProcesses: Bool {
    byNumber.values.contains {
      switch $0.cause {
      case .answer, .ends: true
      case .session, .delegate: false
      }
    }
  }

  /// A number for a question to the edge.
  mutating func nextInquiry() -> InquiryIdentifier {
    lastInquiry += 1
    return InquiryIdentifier(number: lastInquiry)
  }

  func count(_ key: WaitingRequest.Key) -> Int { index[key]?.count ?? 0 }

  func count(of connection: ConnectionIdentifier) -> Int { count(.asker(connection)) }

  /// Whether any waits for the session.
  func isAwaited(_ session: SessionIdentifier) -> Bool { index[.session(session)] != nil }

  mutating func add(_ request: WaitingRequest) {
    lastNumber += 1
    byNumber[lastNumber] = request
    for key in request.keys { index[key, default: []].insert(lastNumber) }
  }

  /// What has waited longest for something.
  func first(_ key: WaitingRequest.Key) -> WaitingRequest? {
    index[key]?.min().flatMap { byNumber[$0] }
  }

  /// Takes out what waits for something, or what somebody asked for.
  mutating func take(_ key: WaitingRequest.Key) -> [WaitingRequest] {
    (index[key] ?? []).sorted().compactMap { remove($0) }
  }

  mutating func takeAll() -> [WaitingRequest] {
    defer { (byNumber, index) = ([:], [:]) }
    return requests
  }

  private mutating func remove(_ number: UInt64) -> WaitingRequest? {
    guard let request = byNumber.removeValue(forKey: number) else { return nil }
    for key in request.keys {
      index[key]?.remove(number)
      if index[key]?.isEmpty == true { index[key] = nil }
    }
    return request
  }

  /// Whether each is found by all its keys, and nothing else is.
  var isIndexed: Bool {
    var expected: [WaitingRequest.Key: Set<UInt64>] = [:]
    for (number, request) in byNumber {
      for key in request.keys { expected[key, default: []].insert(number) }
    }
    return index == expected
  }
}

struct WaitingRequest: Equatable {
  enum Cause: Equatable {
    /// For the answer to an inquiry.
    case answer(InquiryIdentifier)
    /// For one of these connections, whose processes are ending, to be gone.
    case ends(of: [ConnectionIdentifier], InquiryIdentifier)
    /// For a session to be unattached, or to be no longer kept for somebody else.
    case session(SessionIdentifier)
    /// For the application delegate to be launched.
    case delegate
  }

  /// By what it is found.
  enum Key: Hashable {
    case asker(ConnectionIdentifier)
    case inquiry(InquiryIdentifier)
    case end(ConnectionIdentifier)
    case session(SessionIdentifier)
    case delegate
  }

  enum Request: Equatable {
    case connect(SceneConnect)
    case activate(RequestActivation)
    indirect case open(ApplicationOpen)
    case refresh(RequestRefresh)
    /// Of a client that wants to be the application delegate.
    indirect case initialize(Initialize)
  }

  var cause: Cause
  let request: Request
  let asker: Asker
  let fresh: SessionIdentifier
  /// The holders that were asked about: each is asked about once.
  var asked: [ClientProcess] = []

  var keys: [Key] {
    let awaited: [Key] =
      switch cause {
      case .answer(let inquiry): [.inquiry(inquiry)]
      case .ends(let connections, let inquiry):
        connections.map(Key.end) + [.inquiry(inquiry)]
      case .session(let session): [.session(session)]
      case .delegate: [.delegate]
      }
    return awaited + [.asker(asker.connection)]
  }
}

/// Requests about several sessions: each is answered when the last of its sessions is done.
struct Groups {
  private var groups: [UInt64: Group] = [:]
  private var lastNumber: UInt64 = 0

  private struct Group {
    let asker: Asker
    var reply: BrokerReply
    var remaining: Int
  }

  /// How many sessions each group still waits for.
  var remaining: [UInt64: Int] { groups.mapValues(\.remaining) }

  mutating func open(_ asker: Asker, _ reply: BrokerReply, count: Int) -> UInt64 {
    lastNumber += 1
    groups[lastNumber] = Group(asker: asker, reply: reply, remaining: count)
    return lastNumber
  }

  /// One less to wait for; what is to be answered if it was the last. A session whose scene is not
  /// gone was not reclaimed, and one whose scene is gone was not refreshed.
  mutating func arrive(
    _ number: UInt64, _ session: SessionIdentifier, isGone: Bool
  ) -> (asker: Asker, reply: BrokerReply)? {
    guard var group = groups[number] else { return nil }
    group.remaining -= 1
    if !isGone, case .reclaimed(var reply) = group.reply {
      reply.sessions.removeAll { $0 == session }
      group.reply = .reclaimed(reply)
    }
    if isGone, case .refreshed(var reply) = group.reply {
      reply.sessions.removeAll { $0 == session }
      group.reply = .refreshed(reply)
    }
    groups[number] = group.remaining > 0 ? group : nil
    return group.remaining > 0 ? nil : (group.asker, group.reply)
  }
}
