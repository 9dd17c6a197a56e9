import JSON
import ScenePlatform
import SceneWire

/// Stands between a client and its broker. It hears every word, and can say some in the broker's
/// place.
///
/// To the client it is the broker: while nobody listens there, nobody listens here.
final class Relay: Sendable {
  /// How the client gets what the broker says.
  enum Manner: Sendable {
    case asItComes
    /// Each frame in pieces, one when the one before was read.
    case inPieces
    /// With members that nobody knows yet.
    case fromTheFuture
  }

  let path: String
  private let brokerPath: String
  private let manner: Manner
  private let state = Monitor(State())

  private struct State: Sendable {
    var conversation = Conversation()
    var connections: [RelayedConnection] = []
    var isListening = false
    var isToStop = false
  }

  init(at path: String, to brokerPath: String, _ manner: Manner) {
    self.path = path
    self.brokerPath = brokerPath
    self.manner = manner
  }

  // MARK: - Listening

  func listen() throws(SystemError) {
    let listener = Listener(try UnixSocket.listen(at: path))
    state.withLock { $0.isListening = true }
    _ = try Thread("relay") { [self] in
      while let client = listener.next(), !state.withLock({ $0.isToStop }) { take(client) }
      // Gone before anybody is told that it is.
      try? UnixSocket.remove(at: path)
      state.withLock { state in
        state.isListening = false
        state.isToStop = false
      }
    }
  }

  /// Nobody can connect any more; connections that there are stay.
  func stopListening() {
    let isListening = state.withLock { state in
      state.isToStop = state.isListening
      return state.isListening
    }
    guard isListening else { return }
    // It is woken by a guest.
    _ = try? UnixSocket.connect(to: path)
    _ = state.wait { $0.isListening ? nil : true }
  }

  private func take(_ client: RelayedConnection.End) {
    guard let socket = try? UnixSocket.connect(to: brokerPath) else { return }
    let broker = RelayedConnection.End(socket)
    let connection = state.withLock { state in
      let connection = RelayedConnection(
        state.connections.count, client: client, broker: broker)
      state.connections.append(connection)
      state.conversation.add(.opened, on: connection.number)
      return connection
    }
    _ = try? Thread("relay client") { [self] in carryToBroker(connection) }
    _ = try? Thread("relay broker") { [self] in carryToClient(connection) }
  }

  // MARK: - Carrying

  private func carryToBroker(_ connection: RelayedConnection) {
    var cutter = FrameCutter()
    while connection.client.receive(into: &cutter) {
      frames: while true {
        switch cutter.next() {
        case .frame(let frame):
          let message = WireMessage(FrameCutter.content(of: frame))
          note(.message(.client, message), connection)
          // The broker did not ask that.
          if message.answers(Self.ownID) { continue }
          connection.broker.send(frame)
        case .more: break frames
        case .bad(let what):
          note(.broken(what), connection)
          connection.broker.endSending()
          return note(.closed, connection)
        }
      }
    }
    if !cutter.rest.isEmpty { note(.broken("the beginning of a frame, and no end"), connection) }
    connection.broker.endSending()
    note(.closed, connection)
  }

  private func carryToClient(_ connection: RelayedConnection) {
    // A client takes what its broker sends, as long as it can be said.
    var cutter = FrameCutter(limit: FrameDecoder.longestFrame)
    receiving: while connection.broker.receive(into: &cutter) {
      frames: while true {
        switch cutter.next() {
        case .frame(let frame):
          let content = FrameCutter.content(of: frame)
          note(.message(.broker, WireMessage(content)), connection)
          deliver(manner == .fromTheFuture ? content.withMoreMembers : content, connection)
        case .more: break frames
        // Nothing of what follows can be told apart, so that is where its broker ends.
        case .bad: break receiving
        }
      }
    }
    connection.client.endSending()
  }

  private func deliver(_ content: ContiguousArray<UInt8>, _ connection: RelayedConnection) {
    let frame = FrameCutter.frame(content)
    connection.turn.withLock { _ in
      guard manner == .inPieces else { return connection.client.send(frame) }
      for piece in [frame[..<2], frame[2..<(frame.count / 2)], frame[(frame.count / 2)...]] {
        connection.client.send(ContiguousArray(piece))
        connection.client.awaitRead()
      }
    }
  }

  // MARK: - Hearing and saying

  private func note(_ event: Conversation.Event, _ connection: RelayedConnection) {
    state.withLock { $0.conversation.add(event, on: connection.number) }
  }

  var conversation: Conversation { state.withLock { $0.conversation } }
  var mark: Int { state.withLock { $0.conversation.entries.count } }

  /// Waits until something is so; false when the deadline came first.
  func wait(until deadline: Int64, for isSo: (Conversation) -> Bool) -> Bool {
    state.wait(until: deadline) { isSo($0.conversation) ? true : nil } ?? false
  }

  /// So high that no broker has counted up to it.
  private static let ownID = RawJSON(unchecked: ContiguousArray("1000000000".utf8))

  /// Says something to the client that no broker says.
  func say(_ method: String, isRequest: Bool, session: String) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("jsonrpc")
    writer.string("2.0")
    if isRequest {
      writer.name("id")
      writer.raw(Self.ownID)
    }
    writer.name("method")
    writer.string(method)
    writer.name("params")
    writer.beginObject()
    writer.name("session")
    writer.string(session)
    writer.endObject()
    writer.endObject()
    guard let connection = state.withLock({ $0.connections.last }) else { return }
    note(.message(.tester, WireMessage(writer.bytes)), connection)
    deliver(writer.bytes, connection)
  }
}

extension WireMessage {
  fileprivate func answers(_ request: RawJSON) -> Bool {
    switch kind {
    case .result(request), .failure(request, _): true
    case .request, .notification, .result, .failure, .malformed: false
    }
  }
}

extension ContiguousArray<UInt8> {
  /// The same message with a member more, and another in what it says.
  fileprivate var withMoreMembers: Self {
    let document = JSONDocument()
    guard (try? document.read(span)) != nil,
      let body = document.root["params"] ?? document.root["result"], body.kind == .object
    else { return self }
    let start = body.rawRange.lowerBound + 1
    let member = #""fromTheFuture":{"kind":"unheard-of","more":[1,2.5,null]}"#
    let whole =
      Self(self[..<start]) + member.utf8 + (body.count == 0 ? "" : ",").utf8 + self[start...]
    guard let brace = whole.firstIndex(of: UInt8(ascii: "{")) else { return whole }
    return Self(whole[...brace]) + (member + ",").utf8 + whole[(brace + 1)...]
  }
}
