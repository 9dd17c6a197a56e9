import SceneBroker
import SceneCommandLine
import SceneJSON
package import SceneModel
package import ScenePlatform
import SceneWire

/// The input of the clients, and the life of their connections.
extension EventLoop {
  // MARK: - Bytes and frames

  /// Takes in bytes. The broker gets the requests among them at once.
  package func receive(_ bytes: Span<UInt8>, from connection: Connection) {
    input.hasInput = true
    guard connection.stage.acceptsInput else { return }
    guard connection.input.held.isEmpty, !mustWait(connection) else {
      return hold(bytes, of: connection)
    }
    connection.input.begin(byteCount: bytes.count)
    var decoder = connection.input.takeDecoder()
    var hasCompletedFrame = false
    var count = bytes.count
    do throws(FrameError) {
      count = try decoder.decode(bytes, while: { !mustWait(connection) }) { content in
        hasCompletedFrame = true
        take(content, from: connection)
        return connection.stage.acceptsInput
      }
    } catch {
      closeForViolation(connection, nil, BrokerError(.invalidRequest, error.description))
    }
    connection.input.putBack(decoder)
    output.recount(connection)
    if count < bytes.count { hold(bytes.extracting(count...), of: connection) }
    switch connection.input.changeFrameTimer(hasCompletedFrame: hasCompletedFrame) {
    case .none: break
    case .start:
      timers.set(.frame(connection.identifier), after: .seconds(Int64(limits.frameSeconds)))
    case .stop: timers.cancel(.frame(connection.identifier))
    }
  }

  private func take(_ content: Span<UInt8>, from connection: Connection) {
    let envelope: Envelope
    do throws(EnvelopeError) {
      envelope = try Envelope(content, into: document)
    } catch {
      return closeForViolation(connection, error.identifier, error.error)
    }
    switch consume envelope {
    case .request(let identifier, let method, let params):
      process(identifier, method, params, from: connection)
    case .result(let identifier, let result):
      takeAnswer(identifier, from: connection) { kind in read(result, to: kind) }
    case .failure(let identifier, let error):
      let message = error["message"]?.string ?? "no error message"
      takeAnswer(identifier, from: connection) { _ in .failed(message: message) }
    }
  }

  /// Takes in the reply of a client to a callback.
  private func takeAnswer(
    _ identifier: RequestIdentifier, from connection: Connection,
    _ answer: (CallbackKind?) -> CallbackAnswer
  ) {
    guard case .number(let callback) = identifier else {
      return closeForViolation(
        connection, nil,
        BrokerError(.invalidRequest, "the reply matches no request of the broker"))
    }
    let kind = broker.kind(ofCallback: callback, on: connection.identifier)
    handle(.answered(connection.identifier, callback: callback, answer(kind)))
  }

  private func read(_ value: JSONValue, to kind: CallbackKind?) -> CallbackAnswer {
    do throws(MemberError) {
      switch kind {
      case .stateRestorationActivity:
        return .activity(try StateRestorationAnswer(reading: value).activity)
      case .didFinishLaunching:
        return .launched(accepted: try DidFinishLaunching.Answer(reading: value).accepted)
      case .configurationForConnecting:
        return .configuration(try ConfigurationForConnecting.Answer(reading: value))
      default: return .done
      }
    } catch {
      return .failed(message: "invalid answer: \(error.inside("result"))")
    }
  }

  // MARK: - Requests

  /// Gives a request to the broker, and writes the reply. The limits of the next frame of the
  /// connection depend on the reply.
  func process(
    _ identifier: RequestIdentifier?, _ method: JSONValue, _ params: JSONValue?,
    from connection: Connection
  ) {
    // A request without an identifier gets no reply.
    if let identifier {
      if let error = overload(of: connection) {
        refuse(connection, identifier, error)
        return postMessages(of: &effects)
      }
      connection.beginRequest()
    }
    broker.waitingByteCount = output.waitingByteCount
    broker.handle(
      method, params, identifier, from: connection.identifier, at: now, into: &effects
    ) { connection.identify() }
    if connection.stage == .handshake { _ = openIfInitialized(connection) }
    postMessages(of: &effects)
  }

  /// The error for any request of an overloaded connection.
  private func overload(of connection: Connection) -> BrokerError? {
    if connection.requestsInFlight >= limits.requestsInFlight {
      BrokerError(
        .tooMany, "this connection already has \(limits.requestsInFlight) waiting requests",
        retry: .later)
    } else if connection.outbox.byteCount > limits.outboxBytes {
      BrokerError(
        .tooMany, "\(connection.outbox.byteCount) bytes already wait for this connection",
        retry: .later)
    } else {
      nil
    }
  }

  /// Opens the connection if its client is initialized. Returns whether it is.
  func openIfInitialized(_ connection: Connection) -> Bool {
    guard broker.isInitialized(connection.identifier) else { return false }
    connection.stage = .open
    timers.cancel(.handshake(connection.identifier))
    return true
  }

  /// Replies with an error in the place of the broker, behind the broker's earlier replies.
  private func refuse(
    _ connection: Connection, _ identifier: RequestIdentifier?, _ error: BrokerError
  ) {
    if identifier != nil { connection.beginRequest() }
    effects.messages.append(
      Outbound(
        connection: connection.identifier, message: .error(identifier, error), after: 0))
  }

  /// Tells the client which rule of the protocol it violated, and closes the connection.
  func closeForViolation(
    _ connection: Connection, _ identifier: RequestIdentifier?, _ error: BrokerError
  ) {
    log.note("client \(connection.process.pid) violated the protocol: \(error.message)")
    refuse(connection, identifier, error)
    effects.commands.append(.close(connection.identifier))
    connection.stage = .closing
  }

  // MARK: - Turns of busy connections

  package func waitForTurn(_ connection: Connection) { input.waitForTurn(connection) }

  /// Gives busy connections their turns. `read` reads from the socket of a connection, hands in
  /// the bytes, and returns their number.
  package func takeTurns(ready: Int = 0, _ read: (Connection) -> Int = { _ in 0 }) {
    var (inputBudget, outputBudget) = (Share.input(ofReady: ready), Share.output)
    var count = 0
    let waiting = input.turnCount
    while count < waiting, inputBudget > 0, outputBudget > 0 {
      let connection = input.beginTurn(at: count)
      count += 1
      guard connection.stage.acceptsInput, !connection.isPaused else { continue }
      guard connection.output.writtenByteCount <= Share.output else {
        waitForTurn(connection)
        continue
      }
      let writtenBefore = connection.output.writtenByteCount
      if connection.input.held.isEmpty {
        inputBudget -= read(connection)
      } else {
        inputBudget -= connection.input.held.count
        processHeldInput(of: connection)
      }
      outputBudget -= connection.output.writtenByteCount - writtenBefore
    }
    input.endTurns(count)
  }

  /// Whether the next frame of a connection waits for the next iteration, or until its client
  /// reads. Depends on the replies to all frames before it.
  func mustWait(_ connection: Connection) -> Bool {
    !connection.input.isProcessedAtOnce
      && (connection.output.writtenByteCount > Share.output || connection.isPaused)
  }

  func hold(_ bytes: Span<UInt8>, of connection: Connection) {
    connection.input.hold(bytes)
    output.recount(connection)
    waitForTurn(connection)
  }

  private func processHeldInput(of connection: Connection) {
    let held = connection.input.takeHeld()
    receive(held.span, from: connection)
  }

  /// Processes all input of a connection whose input ends. A client that is gone gets no replies.
  func processRest(of connection: Connection) {
    connection.input.isProcessedAtOnce = true
    if !connection.input.held.isEmpty { processHeldInput(of: connection) }
  }

  // MARK: - Connections

  package var connectionCount: Int { connections.count }

  package func connection(_ number: UInt64) -> Connection? {
    connections[ConnectionIdentifier(number)]
  }

  package func accept(
    process: ClientProcess, descriptor: consuming FileDescriptor? = nil
  ) -> Connection {
    input.hasInput = true
    input.hasNewClients = true
    let connection = Connection(
      connections.nextIdentifier(), process: process, descriptor: descriptor,
      frameLimit: limits.frameBytes)
    connections.add(connection)
    handle(.opened(connection.identifier, process))
    timers.set(.handshake(connection.identifier), after: .seconds(Int64(limits.handshakeSeconds)))
    return connection
  }

  /// Closes the connection at once: the client is gone, or must be disconnected.
  package func close(_ connection: Connection, _ reason: DisconnectReason) {
    connection.isGone = true
    processRest(of: connection)
    guard connection.stage != .closed else { return }
    input.hasInput = true
    reportClosed(connection, reason)
    remove(connection)
  }

  /// Closes a connection that the broker knows to be closed.
  func remove(_ connection: Connection) {
    connection.stage = .closed
    connections.remove(connection.identifier)
    output.remove(connection)
    faults.remove(connection.identifier)
    for timer: TimerKey in [
      .handshake(connection.identifier), .frame(connection.identifier),
      .slowReader(connection.identifier), .linger(connection.identifier),
      .resend(connection.identifier),
    ] {
      timers.cancel(timer)
    }
  }

  /// The client sends nothing more. If it still reads, the loop closes the connection when all its
  /// requests have replies.
  package func finish(_ connection: Connection, isGone: Bool = false) {
    if isGone { connection.isGone = true }
    processRest(of: connection)
    guard connection.stage.acceptsInput else { return }
    input.hasInput = true
    connection.stage = .halfClosed
    guard !isGone, connection.requestsInFlight > 0 else {
      return connections.addFinished(connection)
    }
    handle(.finished(connection.identifier))
    timers.set(.linger(connection.identifier), after: Self.replyTimeout)
  }

  /// The reply to a request may leave.
  func replyReleased(on connection: Connection) {
    if connection.endRequest() { connections.addFinished(connection) }
  }

  /// The time for the last replies, or for the last output, is over.
  func endWait(of connection: Connection) {
    if connection.stage == .halfClosed {
      connections.addFinished(connection)
    } else {
      output.scheduleLastOffer(connection)
    }
  }

  func lingerFinished() {
    for connection in connections.takeFinished() {
      linger(connection.identifier, .connectionLost)
    }
  }

  /// Tells the broker that the connection is closed, and closes it when the output has left.
  func linger(_ identifier: ConnectionIdentifier, _ reason: DisconnectReason) {
    guard let connection = connections[identifier] else { return }
    reportClosed(connection, reason)
    guard !connection.isGone else { return remove(connection) }
    connection.stage = .lingering
    timers.set(.linger(identifier), after: Self.lingerTimeout)
    output.schedule(connection)
  }

  /// The broker has nothing left to do. Clients have a short time to read what was sent.
  func stop() {
    endInput()
    // The replies to the last requests may need these effects.
    guard effects.isEmpty else {
      effects.isStopping = true
      return
    }
    for identifier in connections.stop() { linger(identifier, .shutdown) }
  }

  /// Tells all clients why the process ends. Output that waits for the disk is never sent. A client
  /// with unsent output gets no message, because it may have a part of a frame.
  func broadcastShutdown(_ message: String) {
    let frame = ShutdownFrame.frame(BrokerError(.shuttingDown, message))
    for identifier in connections.identifiers {
      guard let connection = connections[identifier], connection.stage != .lingering,
        connection.outbox.releasedByteCount == 0
      else { continue }
      // The process does not wait for clients.
      connection.withDescriptor { _ = $0.send(frame.span.bytes) }
    }
  }

  /// The time for the last output.
  private static let lingerTimeout = Interval.seconds(1)
  /// The time for the last replies, which may depend on other clients with budgets of their own.
  package static let replyTimeout = Interval.seconds(60)

  /// Reads the exit of a client that loses its scenes, or keeps its process to read the exit later.
  /// Returns false if the broker does not need the exit, has it, or if the system does not tell it.
  private func keepProcess(of connection: Connection) -> Bool {
    guard broker.needsExit(of: connection.identifier),
      let peer = connection.withDescriptor({ PeerProcess(of: $0) }) ?? nil
    else { return false }
    let identity = ProcessIdentity(
      pid: Int32(truncatingIfNeeded: connection.process.pid),
      startTime: connection.process.startTime)
    if let end = identity.failureBeforeReaping ?? peer.end {
      handle(.exitRead(connection.identifier, ClientExit(end)))
      return false
    }
    processes.peers[connection.identifier] = peer
    return true
  }

  private func reportClosed(_ connection: Connection, _ reason: DisconnectReason) {
    switch connection.stage {
    case .handshake, .open, .halfClosed:
      let exitFollows = reason == .connectionLost && keepProcess(of: connection)
      handle(.closed(connection.identifier, reason, exitFollows: exitFollows))
    case .closing: handle(.closed(connection.identifier, .violation))
    case .lingering, .closed: break
    }
  }
}
