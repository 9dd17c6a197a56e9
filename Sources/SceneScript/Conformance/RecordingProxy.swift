import SceneJSON
import ScenePlatform
import SceneWire

/// A proxy between a client and its broker. It records all messages, and can send messages as the
/// broker.
///
/// The proxy accepts connections only while the broker runs.
final class RecordingProxy: Sendable {
  /// The form in which the client receives the frames of the broker.
  enum Delivery: Sendable {
    case unchanged
    /// Each frame in three pieces. The next piece follows when the client has read the previous
    /// one.
    case inPieces
    /// With additional members, as a later version of the protocol can have.
    case withUnknownMembers
  }

  let path: String
  private let brokerPath: String
  private let delivery: Delivery
  private let state = ConditionMutex(State())

  private struct State: Sendable {
    var log = WireLog()
    var connections: [ProxiedConnection] = []
    var isListening = false
    var shouldStop = false
  }

  init(at path: String, to brokerPath: String, _ delivery: Delivery) {
    self.path = path
    self.brokerPath = brokerPath
    self.delivery = delivery
  }

  // MARK: - Connections

  func listen() throws(SystemError) {
    let listener = SharedDescriptor(try UnixSocket.listen(at: path))
    state.withLock { $0.isListening = true }
    _ = try Thread("relay") { [self] in
      while let client = listener.nextClient(), !state.withLock({ $0.shouldStop }) { take(client) }
      // The path disappears before `isListening` becomes false, so the next broker can use it.
      try? UnixSocket.remove(at: path)
      state.withLock { state in
        state.isListening = false
        state.shouldStop = false
      }
    }
  }

  /// Stops accepting connections. Open connections stay.
  func stopListening() {
    let isListening = state.withLock { state in
      state.shouldStop = state.isListening
      return state.isListening
    }
    guard isListening else { return }
    // A connection wakes the thread that accepts connections.
    _ = try? UnixSocket.connect(to: path)
    _ = state.wait { $0.isListening ? nil : true }
  }

  private func take(_ client: SharedDescriptor) {
    guard let socket = try? UnixSocket.connect(to: brokerPath) else { return }
    let broker = SharedDescriptor(socket)
    let connection = state.withLock { state in
      let connection = ProxiedConnection(
        state.connections.count, client: client, broker: broker)
      state.connections.append(connection)
      state.log.add(.opened, on: connection.number)
      return connection
    }
    _ = try? Thread("relay client") { [self] in forwardToBroker(connection) }
    _ = try? Thread("relay broker") { [self] in forwardToClient(connection) }
  }

  // MARK: - Forwarding

  private func forwardToBroker(_ connection: ProxiedConnection) {
    let problem = connection.client.forEachFrame { frame, content in
      let message = WireMessage(content)
      record(.message(.client, message), connection)
      // The proxy sent this request, so the broker does not expect the answer.
      if message.answer == nil || message.id != Self.injectedID { connection.broker.send(frame) }
    }
    if let problem { record(.invalidFrame(problem), connection) }
    connection.broker.endSending()
    record(.closed, connection)
  }

  private func forwardToClient(_ connection: ProxiedConnection) {
    // A broker can send longer frames than it accepts. The stream cannot be split after an invalid
    // frame, so the connection ends.
    _ = connection.broker.forEachFrame(limit: FrameDecoder.longestFrame) { _, content in
      record(.message(.broker, WireMessage(content)), connection)
      deliver(
        delivery == .withUnknownMembers ? content.addingUnknownMembers : content, connection)
    }
    connection.client.endSending()
  }

  private func deliver(_ content: ContiguousArray<UInt8>, _ connection: ProxiedConnection) {
    let frame = FrameSplitter.frame(content)
    connection.sendLock.withLock { _ in
      guard delivery == .inPieces else { return connection.client.send(frame) }
      for piece in [frame[..<2], frame[2..<(frame.count / 2)], frame[(frame.count / 2)...]] {
        connection.client.send(ContiguousArray(piece))
        connection.client.awaitRead()
      }
    }
  }

  // MARK: - Log

  private func record(_ event: WireLog.Event, _ connection: ProxiedConnection) {
    state.withLock { $0.log.add(event, on: connection.number) }
  }

  var log: WireLog { state.withLock { $0.log } }
  var mark: Int { state.withLock { $0.log.entries.count } }

  /// Waits until a condition on the log holds; false at the deadline.
  func wait(until deadline: Int64, for isSo: (WireLog) -> Bool) -> Bool {
    state.wait(until: deadline) { isSo($0.log) ? true : nil } ?? false
  }

  /// Higher than any identifier that a broker reaches in a test.
  private static let injectedID = RawJSON(unchecked: ContiguousArray("1000000000".utf8))

  /// Sends the client a message that no broker sends.
  func send(_ method: String, isRequest: Bool, session: String) {
    let message = JSONWriter.object { writer in
      writer.member("jsonrpc", "2.0")
      if isRequest { writer.member("id", Self.injectedID) }
      writer.member("method", method)
      writer.member("params", JSONWriter.object { $0.member("session", session) })
    }
    guard let connection = state.withLock({ $0.connections.last }) else { return }
    record(.message(.proxy, WireMessage(message.bytes)), connection)
    deliver(message.bytes, connection)
  }
}

extension SharedDescriptor {
  /// Waits for the next client of a listening socket; nil after an error.
  func nextClient() -> SharedDescriptor? {
    do throws(SystemError) {
      while true {
        _ = try descriptor.waitReadable()
        if let client = try UnixSocket.accept(from: descriptor) { return SharedDescriptor(client) }
      }
    } catch {
      return nil
    }
  }
}

extension ContiguousArray<UInt8> {
  /// The same message with one more member, also in its parameters or its result.
  fileprivate var addingUnknownMembers: Self {
    guard let document = JSONDocument(reading: self),
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
