import CommandLine
import JSON

/// Everything that a client and its broker said to each other, in order.
struct Conversation: Sendable {
  enum Speaker: Sendable {
    case client
    case broker
    /// Whoever tries the client, in the broker's place.
    case tester
  }

  enum Event: Equatable, Sendable {
    case opened
    case message(Speaker, WireMessage)
    /// What the client sent was no frame.
    case broken(String)
    /// The client will not send any more, or cannot.
    case closed
  }

  struct Entry: Sendable {
    var connection: Int
    var event: Event
  }

  private(set) var entries: [Entry] = []

  mutating func add(_ event: Event, on connection: Int) {
    entries.append(Entry(connection: connection, event: event))
  }

  /// Something that a client was asked, and what it answered.
  struct Call: Equatable, Sendable {
    enum Answer: Equatable, Sendable {
      case result(RawJSON)
      case failure(Int64)
    }

    var connection: Int
    var method: String
    var request: WireMessage
    var answer: Answer?
    /// Whether its connection was closed before there was an answer.
    var isCutOff = false

    var isOver: Bool { answer != nil || isCutOff }

    /// The callback's name, without where it belongs.
    var name: String { String(method.split(separator: "/").last ?? "") }

    var words: String {
      switch answer {
      case .result: "\(name) answered"
      case .failure(let code): "\(name) answered with the error \(code)"
      case nil: isCutOff ? "\(name) not answered, but hung up" : "\(name) not answered"
      }
    }
  }

  /// What the client was asked since a place, and what it answered up to now.
  func calls(since mark: Int = 0) -> [Call] {
    var calls: [Call] = []
    for entry in entries[mark...] {
      switch entry.event {
      case .message(.broker, let message), .message(.tester, let message):
        guard case .request(_, let method) = message.kind else { continue }
        calls.append(Call(connection: entry.connection, method: method, request: message))
      case .message(.client, let message):
        guard let (id, answer) = message.answer else { continue }
        let asked = calls.firstIndex { call in
          call.connection == entry.connection && call.answer == nil && call.request.id == id
        }
        if let asked { calls[asked].answer = answer }
      case .closed:
        for index in calls.indices
        where calls[index].connection == entry.connection && calls[index].answer == nil {
          calls[index].isCutOff = true
        }
      case .opened, .broken: continue
      }
    }
    return calls
  }

  /// What the client said since a place.
  func said(since mark: Int = 0) -> [WireMessage] {
    entries[mark...].compactMap { entry in
      if case .message(.client, let message) = entry.event { message } else { nil }
    }
  }

  /// Whether there were connections since a place, and none is left.
  func isClosed(since mark: Int) -> Bool {
    let events = entries[mark...].map(\.event)
    let opened = events.count { $0 == .opened }
    return opened > 0 && opened == events.count { $0 == .closed }
  }

  func hasOpened(since mark: Int) -> Bool {
    entries[mark...].contains { $0.event == .opened }
  }

  /// The first thing that no client may ever say, whatever it was asked.
  var violation: String? {
    var open: [Int: [RawJSON]] = [:]
    for entry in entries {
      switch entry.event {
      case .broken(let what): return what
      case .message(.client, let message):
        if case .malformed(let what) = message.kind { return what }
        guard let (id, _) = message.answer else { continue }
        guard let place = open[entry.connection, default: []].firstIndex(of: id) else {
          return "an answer with the id \(id), which nothing that is still open has"
        }
        open[entry.connection]?.remove(at: place)
      case .message(_, let message):
        if let id = message.requestID { open[entry.connection, default: []].append(id) }
      case .opened, .closed: continue
      }
    }
    return nil
  }

  /// The last of it, a line each and as the client sees it.
  func lastLines(_ count: Int) -> [String] {
    entries.suffix(count).map { entry in
      let words =
        switch entry.event {
        case .opened: "  (it connects)"
        case .closed: "  (the connection is closed)"
        case .broken(let what): "→ \(what)"
        case .message(.client, let message): "→ \(message.words)"
        case .message(_, let message): "← \(message.words)"
        }
      return PlainText.escaped(words)
    }
  }
}

extension WireMessage {
  fileprivate var id: RawJSON? {
    switch kind {
    case .request(let id, _), .result(let id), .failure(let id, _): id
    case .notification, .malformed: nil
    }
  }

  fileprivate var requestID: RawJSON? {
    if case .request(let id, _) = kind { id } else { nil }
  }

  fileprivate var answer: (id: RawJSON, Conversation.Call.Answer)? {
    switch kind {
    case .result(let id): (id, .result(body))
    case .failure(let id, let code): (id, .failure(code))
    case .request, .notification, .malformed: nil
    }
  }

  /// As it is shown, not too long.
  fileprivate var words: String {
    let shown = String(body.description.prefix(100)) + (body.bytes.count > 100 ? "…" : "")
    return switch kind {
    case .request(let id, let method): "\(method) (\(id)) \(shown)"
    case .notification(let method): "\(method) \(shown)"
    case .result(let id): "result of (\(id)) \(shown)"
    case .failure(let id, let code): "error \(code) to (\(id))"
    case .malformed(let what): what
    }
  }
}
