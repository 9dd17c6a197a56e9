import SceneModel

/// Requests that cannot be decided yet, in the order in which they came: each says what it waits for.
struct WaitingRequests {
  private(set) var requests: [WaitingRequest] = []
  private var lastInquiry: UInt64 = 0

  var isEmpty: Bool { requests.isEmpty }

  /// A number for a question to the edge.
  mutating func nextInquiry() -> InquiryIdentifier {
    lastInquiry += 1
    return InquiryIdentifier(number: lastInquiry)
  }

  mutating func add(_ request: WaitingRequest) { requests.append(request) }

  /// Takes out what waits for something, to be tried again.
  mutating func take(where matches: (WaitingRequest.Cause) -> Bool) -> [WaitingRequest] {
    let taken = requests.filter { matches($0.cause) }
    guard !taken.isEmpty else { return [] }
    requests.removeAll { matches($0.cause) }
    return taken
  }

  mutating func remove(of connection: ConnectionIdentifier) {
    requests.removeAll { $0.asker.connection == connection }
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
}

/// Requests about several sessions: each is answered when the last of its sessions is done.
struct Groups {
  private var groups: [UInt64: Group] = [:]
  private var lastNumber: UInt64 = 0

  private struct Group {
    let asker: Asker
    let reply: BrokerReply
    var remaining: Int
  }

  mutating func open(_ asker: Asker, _ reply: BrokerReply, count: Int) -> UInt64 {
    lastNumber += 1
    groups[lastNumber] = Group(asker: asker, reply: reply, remaining: count)
    return lastNumber
  }

  /// One less to wait for; what is to be answered if it was the last.
  mutating func arrive(_ number: UInt64) -> (asker: Asker, reply: BrokerReply)? {
    guard var group = groups[number] else { return nil }
    group.remaining -= 1
    groups[number] = group.remaining > 0 ? group : nil
    return group.remaining > 0 ? nil : (group.asker, group.reply)
  }
}

/// Who waits until all is quiet.
struct Settler: Equatable {
  let asker: Asker
}
