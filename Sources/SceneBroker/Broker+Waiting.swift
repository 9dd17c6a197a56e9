import SceneModel

/// A killed process lives on for a moment before its connection closes. So before an answer that it would make wrong, the edge
/// is asked whether the holder is coming to its end; if so, the request waits for that.
extension Broker {
  /// Far longer than a process takes to die; a holder that takes longer is in the way after all.
  private static let patience = Interval.seconds(5)

  mutating func inquire(
    about holders: [ConnectionIdentifier], for request: WaitingRequest.Request, _ asker: Asker,
    _ fresh: SessionIdentifier
  ) {
    ask(about: holders.compactMap { peers[$0]?.process }, for: request, asker, fresh)
  }

  mutating func inquire(
    about process: ClientProcess, for request: WaitingRequest.Request, _ asker: Asker,
    _ fresh: SessionIdentifier
  ) {
    ask(about: [process], for: request, asker, fresh)
  }

  private mutating func ask(
    about processes: [ClientProcess], for request: WaitingRequest.Request, _ asker: Asker,
    _ fresh: SessionIdentifier
  ) {
    let inquiry = waiting.nextInquiry()
    waiting.add(
      WaitingRequest(cause: .answer(inquiry), request: request, asker: asker, fresh: fresh))
    effects.inquiries.append(Inquiry(identifier: inquiry, processes: processes))
  }

  mutating func take(ending: [ClientProcess], of inquiry: InquiryIdentifier) {
    for process in ending { release(reservedFor: process) }
    let connections = peers.keys.filter { connection in
      peers[connection].map { ending.contains($0.process) } ?? false
    }
    for var request in waiting.take(where: { $0 == .answer(inquiry) }) {
      if connections.isEmpty {
        retry(request, askingAboutHolders: false)
      } else {
        request.cause = .ends(of: connections.sorted(), inquiry)
        waiting.add(request)
        effects.timers.append(.set(.inquiry(inquiry), Self.patience))
      }
    }
  }

  /// The holder takes too long over its end: the request is decided as things are.
  mutating func stopWaiting(for inquiry: InquiryIdentifier) {
    let given = waiting.take {
      if case .ends(_, inquiry) = $0 { true } else { false }
    }
    for request in given { retry(request, askingAboutHolders: false) }
  }

  /// A connection is gone: what waited for its end is tried again.
  mutating func retryWaiting(forEndOf connection: ConnectionIdentifier) {
    let taken = waiting.take {
      if case .ends(let connections, _) = $0 { connections.contains(connection) } else { false }
    }
    for request in taken {
      if case .ends(_, let inquiry) = request.cause {
        effects.timers.append(.cancel(.inquiry(inquiry)))
      }
      retry(request, askingAboutHolders: true)
    }
  }

  /// A session is unattached, or held, or gone: what waited for that is tried again.
  mutating func retryWaiting(for session: SessionIdentifier) {
    for request in waiting.take(where: { $0 == .session(session) }) {
      retry(request, askingAboutHolders: true)
    }
  }

  private mutating func retry(_ request: WaitingRequest, askingAboutHolders: Bool) {
    switch request.request {
    case .connect(let message):
      connect(
        message, request.asker, fresh: request.fresh, askingAboutHolders: askingAboutHolders)
    case .activate(let message):
      activate(message, request.asker, fresh: request.fresh)
    }
  }
}
