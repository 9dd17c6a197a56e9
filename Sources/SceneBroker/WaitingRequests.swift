import SceneModel

/// Requests that cannot be decided yet, in the order in which they came: each says what it waits
/// for.
struct WaitingRequests {
  private(set) var requests: [WaitingRequest] = []
  /// How many there are of each connection that has any.
  private(set) var counts: [ConnectionIdentifier: Int] = [:]
  private var lastInquiry: UInt64 = 0

  /// A number for a question to the edge.
  mutating func nextInquiry() -> InquiryIdentifier {
    lastInquiry += 1
    return InquiryIdentifier(number: lastInquiry)
  }

  func count(of connection: ConnectionIdentifier) -> Int { counts[connection] ?? 0 }

  mutating func add(_ request: WaitingRequest) {
    requests.append(request)
    counts[request.asker.connection, default: 0] += 1
  }

  /// Takes out what waits for something, to be tried again.
  mutating func take(where matches: (WaitingRequest.Cause) -> Bool) -> [WaitingRequest] {
    takeRequests { matches($0.cause) }
  }

  mutating func take(of connection: ConnectionIdentifier) -> [WaitingRequest] {
    guard counts[connection] != nil else { return [] }
    return takeRequests { $0.asker.connection == connection }
  }

  private mutating func takeRequests(
    where matches: (WaitingRequest) -> Bool
  ) -> [WaitingRequest] {
    let taken = requests.filter(matches)
    guard !taken.isEmpty else { return [] }
    requests.removeAll(where: matches)
    for request in taken {
      let left = count(of: request.asker.connection) - 1
      counts[request.asker.connection] = left > 0 ? left : nil
    }
    return taken
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
  }

  enum Request: Equatable {
    case connect(SceneConnect)
    case activate(RequestActivation)
  }

  var cause: Cause
  let request: Request
  let asker: Asker
  let fresh: SessionIdentifier
  /// The holders that were asked about: each is asked about once.
  var asked: [ClientProcess] = []
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
  /// gone was not reclaimed.
  mutating func arrive(
    _ number: UInt64, _ session: SessionIdentifier, isGone: Bool
  ) -> (asker: Asker, reply: BrokerReply)? {
    guard var group = groups[number] else { return nil }
    group.remaining -= 1
    if !isGone, case .reclaimed(var reply) = group.reply {
      reply.sessions.removeAll { $0 == session }
      group.reply = .reclaimed(reply)
    }
    groups[number] = group.remaining > 0 ? group : nil
    return group.remaining > 0 ? nil : (group.asker, group.reply)
  }
}
