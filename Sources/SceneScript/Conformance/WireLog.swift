import SceneCommandLine
import SceneJSON

/// All messages between a client and its broker, in order.
struct WireLog: Sendable {
  enum Sender: Sendable {
    case client
    case broker
    /// The proxy, which sends messages as the broker.
    case proxy
  }

  enum Event: Equatable, Sendable {
    case opened
    case message(Sender, WireMessage)
    /// The client sent bytes that are not a frame.
    case invalidFrame(String)
    /// The client has ended its side of the connection.
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

  /// A request to the client, and the client's answer.
  struct Call: Equatable, Sendable {
    var connection: Int
    var method: String
    var request: WireMessage
    var answer: WireMessage.Answer?
    /// Whether the connection closed before the answer.
    var isInterrupted = false

    var isOver: Bool { answer != nil || isInterrupted }

    /// The last part of the method, such as `willConnect`.
    var name: String { String(method.split(separator: "/").last ?? "") }

    var summary: String {
      switch answer {
      case .result: "\(name) answered"
      case .failure(let code): "\(name) answered with the error \(code)"
      case nil: isInterrupted ? "\(name) not answered, connection closed" : "\(name) not answered"
      }
    }
  }

  /// The requests to the client since an index, with the answers so far.
  func calls(since mark: Int = 0) -> [Call] {
    var calls: [Call] = []
    for entry in entries[mark...] {
      switch entry.event {
      case .message(.broker, let message), .message(.proxy, let message):
        guard message.isRequest, let method = message.method else { continue }
        calls.append(Call(connection: entry.connection, method: method, request: message))
      case .message(.client, let message):
        guard let answer = message.answer else { continue }
        let asked = calls.firstIndex { call in
          call.connection == entry.connection && call.answer == nil
            && call.request.id == message.id
        }
        if let asked { calls[asked].answer = answer }
      case .closed:
        for index in calls.indices
        where calls[index].connection == entry.connection && calls[index].answer == nil {
          calls[index].isInterrupted = true
        }
      case .opened, .invalidFrame: continue
      }
    }
    return calls
  }

  /// The messages of the client since an index.
  func messages(since mark: Int = 0) -> [WireMessage] {
    entries[mark...].compactMap { entry in
      if case .message(.client, let message) = entry.event { message } else { nil }
    }
  }

  /// Whether all connections since an index are closed, and there was at least one.
  func isClosed(since mark: Int) -> Bool {
    let events = entries[mark...].map(\.event)
    let opened = events.count { $0 == .opened }
    return opened > 0 && opened == events.count { $0 == .closed }
  }

  func hasOpened(since mark: Int) -> Bool {
    entries[mark...].contains { $0.event == .opened }
  }

  /// The first message that no client can send, whatever the case.
  var violation: String? {
    var open: [Int: [RawJSON]] = [:]
    for entry in entries {
      switch entry.event {
      case .invalidFrame(let what): return what
      case .message(.client, let message):
        if let flaw = message.flaw { return flaw }
        guard message.answer != nil, let id = message.id else { continue }
        guard let place = open[entry.connection, default: []].firstIndex(of: id) else {
          return "a reply with the id \(id), which no open request has"
        }
        open[entry.connection]?.remove(at: place)
      case .message(_, let message):
        if message.isRequest, let id = message.id {
          open[entry.connection, default: []].append(id)
        }
      case .opened, .closed: continue
      }
    }
    return nil
  }

  /// The last entries as text.
  func lastLines(_ count: Int) -> [String] {
    entries.suffix(count).map { entry in
      let summary =
        switch entry.event {
        case .opened: "  (the client connects)"
        case .closed: "  (the connection is closed)"
        case .invalidFrame(let what): "→ \(what)"
        case .message(.client, let message): "→ \(message.summary)"
        case .message(_, let message): "← \(message.summary)"
        }
      return PlainText.escaped(summary)
    }
  }
}

extension WireMessage {
  fileprivate var isRequest: Bool { method != nil && id != nil && flaw == nil }

  /// The message in at most about 100 characters.
  fileprivate var summary: String {
    let shown = String(body.description.prefix(100)) + (body.bytes.count > 100 ? "…" : "")
    let number = id.map { "(\($0))" } ?? ""
    return switch (flaw, method, answer) {
    case (let flaw?, _, _): flaw
    case (nil, _, .result): "result of \(number) \(shown)"
    case (nil, _, .failure(let code)): "error \(code) to \(number)"
    case (nil, let method, nil):
      [method ?? "", number, shown].filter { !$0.isEmpty }.joined(separator: " ")
    }
  }
}
