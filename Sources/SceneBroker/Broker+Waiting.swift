package import SceneModel

/// A killed process lives on for a moment before its connection closes. So before an answer that
/// it would make wrong, the edge is asked whether the holder is coming to its end; if so, the
/// request waits for that.
extension Broker {
  /// Far longer than a process takes to die; a holder that takes longer is in the way after all.
  package static let patience = Interval.seconds(5)

  mutating func inquire(
    about processes: [ClientProcess], besides asked: [ClientProcess],
    for message: WaitingRequest.Request, _ asker: Asker, _ fresh: SessionIdentifier
  ) throws(BrokerError) {
    let inquiry = waiting.nextInquiry()
    var request = WaitingRequest(
      cause: .answer(inquiry), request: message, asker: asker, fresh: fresh)
    request.asked = asked + processes
    try wait(request)
    effects.inquiries.append(Inquiry(identifier: inquiry, processes: processes))
  }

  mutating func wait(_ request: WaitingRequest) throws(BrokerError) {
    // Requests without an identifier are not counted as in flight: there is no reply to count.
    guard waiting.count(of: request.asker.connection) < limits.requestsInFlight else {
      throw BrokerError(
        .tooMany, "\(limits.requestsInFlight) requests of this connection wait already")
    }
    waiting.add(request)
  }

  /// How soon it is asked again whether a holder of before still runs that somebody waits for.
  static let watch = Interval.milliseconds(500)

  /// A holder of before may yet come back, or end without having come: no connection tells.
  mutating func watchHolders() {
    guard !isWatchingHolders else { return }
    isWatchingHolders = true
    effects.timers.append(.set(.watch, Self.watch))
  }

  mutating func lookAfterHolders() {
    isWatchingHolders = false
    let holders = Set(reserved.filter { waiting.isAwaited($0.key) }.values)
    guard !holders.isEmpty else { return }
    let processes = holders.sorted { ($0.pid, $0.startTime) < ($1.pid, $1.startTime) }
    effects.inquiries.append(
      Inquiry(identifier: waiting.nextInquiry(), processes: processes))
    watchHolders()
  }

  mutating func take(ending: [ClientProcess], of inquiry: InquiryIdentifier) {
    let requests = waiting.take(.inquiry(inquiry))
    guard !ending.isEmpty else {
      for request in requests { retry(request, besides: request.asked) }
      return
    }
    for process in ending { release(reservedFor: process) }
    let connections = peers.filter { ending.contains($0.value.process) }.keys.sorted()
    for var request in requests {
      if connections.isEmpty {
        retry(request, besides: request.asked)
      } else {
        request.cause = .ends(of: connections, inquiry)
        waiting.add(request)
        effects.timers.append(.set(.inquiry(inquiry), Self.patience))
      }
    }
  }

  /// The holder takes too long over its end: the request is decided as things are.
  mutating func stopWaiting(for inquiry: InquiryIdentifier) {
    for request in waiting.take(.inquiry(inquiry)) { retry(request, besides: request.asked) }
  }

  /// A connection is gone: what waited for its end is tried again.
  mutating func retryWaiting(forEndOf connection: ConnectionIdentifier) {
    let taken = waiting.take(.end(connection))
    cancelInquiries(of: taken)
    for request in taken { retry(request, besides: []) }
  }

  /// What a connection asked for is not waited for any more.
  mutating func dropWaiting(of connection: ConnectionIdentifier) {
    for request in waiting.take(.asker(connection)) {
      if !request.outlivesAsker || !keepWaiting(request) { cancelInquiries(of: [request]) }
    }
  }

  /// What the application wants it wants without the one who asked. So much of it is kept as one
  /// connection may ask for; false where it is too much.
  private mutating func keepWaiting(_ request: WaitingRequest) -> Bool {
    guard waiting.count(of: Asker.nobody.connection) < limits.requestsInFlight else { return false }
    waiting.add(
      WaitingRequest(
        cause: request.cause, request: request.request, asker: .nobody, fresh: request.fresh,
        asked: request.asked))
    return true
  }

  /// Nothing is waited for any more: the application is ending.
  mutating func refuseWaiting() {
    let taken = waiting.takeAll()
    cancelInquiries(of: taken)
    for request in taken { refuse(request.asker, shuttingDown) }
  }

  private mutating func cancelInquiries(of requests: [WaitingRequest]) {
    for request in requests {
      if case .ends(_, let inquiry) = request.cause {
        effects.timers.append(.cancel(.inquiry(inquiry)))
      }
    }
  }

  /// A session is unattached, or held, or gone: what waited for that is tried again.
  mutating func retryWaiting(for session: SessionIdentifier) {
    for request in waiting.take(.session(session)) { retry(request, besides: []) }
  }

  mutating func retry(_ request: WaitingRequest, besides asked: [ClientProcess]) {
    switch request.request {
    case .connect(let message):
      connect(message, request.asker, fresh: request.fresh, besides: asked)
    case .activate(let message):
      activate(message, request.asker, fresh: request.fresh, besides: asked)
    case .open(let message):
      open(message, request.asker, fresh: request.fresh, besides: asked)
    case .refresh(let message): refresh(message, request.asker, fresh: request.fresh)
    case .initialize(let message):
      initialize(message, request.asker, fresh: request.fresh, besides: asked)
    }
  }
}

extension WaitingRequest {
  /// Whether it is carried out though whoever asked is gone: not where the asker was to be the scene.
  fileprivate var outlivesAsker: Bool {
    switch request {
    case .activate, .open, .refresh: true
    case .connect, .initialize: false
    }
  }
}
