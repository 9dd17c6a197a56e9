import JSON
import SceneBroker
import SceneModel
import SceneWire

/// Input of the clients: requests, and replies to callbacks.
extension EventLoop {
  /// Takes in bytes. The broker gets the requests among them before any other event.
  package func receive(_ bytes: Span<UInt8>, from connection: Connection) {
    input.noteInput()
    guard connection.stage.acceptsInput else { return }
    guard connection.heldInput.isEmpty, !mustWait(connection) else {
      return hold(bytes, of: connection)
    }
    connection.isBusy = bytes.count >= Share.busyInput
    // The decoder is moved out, because the handling of a frame reads the connection.
    var decoder = FrameDecoder(limit: limits.frameBytes)
    swap(&decoder, &connection.decoder)
    var completed = false
    var count = bytes.count
    do throws(FrameError) {
      count = try decoder.decode(bytes, while: { !mustWait(connection) }) { content in
        completed = true
        take(content, from: connection)
        return connection.stage.acceptsInput
      }
    } catch {
      violate(connection, nil, BrokerError(.invalidRequest, error.description))
    }
    let isWithinFrame = decoder.isWithinFrame
    swap(&decoder, &connection.decoder)
    output.recount(connection)
    if count < bytes.count { hold(bytes.extracting(count...), of: connection) }
    guard isWithinFrame || connection.hasFrameTimer else { return }
    watchFrame(of: connection, isWithinFrame, afterAnother: completed)
  }

  /// Each frame has a timer of its own.
  private func watchFrame(
    of connection: Connection, _ isWithinFrame: Bool, afterAnother: Bool
  ) {
    if !isWithinFrame {
      timers.cancel(.frame(connection.identifier))
    } else if afterAnother || !connection.hasFrameTimer {
      timers.set(.frame(connection.identifier), after: .seconds(Int64(limits.frameSeconds)))
    }
    connection.hasFrameTimer = isWithinFrame
  }

  private func take(_ content: Span<UInt8>, from connection: Connection) {
    let envelope: Envelope
    do throws(EnvelopeError) {
      envelope = try requests.envelope(of: content)
    } catch {
      return violate(connection, error.identifier, error.error)
    }
    switch consume envelope {
    case .request(let identifier, let method, let params):
      // The limits of a request depend on the replies to the requests before it. Handling those does
      // not change the document, of which method and parameters are views.
      if connection.hasParsedRequest { processRequests() }
      guard connection.stage.acceptsInput else { return }
      requests.append(identifier, method: method, params: params, from: connection)
    case .result(let identifier, let result):
      processRequests()
      answer(identifier, .success(result), from: connection)
    case .failure(let identifier, let error):
      processRequests()
      let message = error["message"]?.string ?? "no error message"
      answer(identifier, .failure(AnswerError(message: message)), from: connection)
    }
  }

  /// Gives all parsed requests to the broker, and writes the replies.
  func processRequests() {
    if requests.isEmpty { return }
    while let request = requests.next() { ask(request) }
    post(&effects.messages)
  }

  private func ask(_ request: consuming RequestPipeline.ParsedRequest) {
    broker.waitingByteCount = output.waitingByteCount
    switch consume request {
    case .valid(let connection, let identifier, let method, let content):
      connection.hasParsedRequest = false
      if let identifier {
        if let error = overload(of: connection) { return refuse(connection, identifier, error) }
        connection.requestsInFlight += 1
      }
      broker.handle(
        .requested(connection.identifier, identifier, method, content), at: now, into: &effects)
      if connection.stage == .handshake { _ = greet(connection) }
    case .invalid(let connection, let identifier, let error):
      connection.hasParsedRequest = false
      guard let identifier else { return }
      refuse(connection, identifier, overload(of: connection) ?? error)
    }
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
  func greet(_ connection: Connection) -> Bool {
    guard broker.isInitialized(connection.identifier) else { return false }
    connection.stage = .open
    timers.cancel(.handshake(connection.identifier))
    return true
  }

  private struct AnswerError: Error {
    let message: String
  }

  private func answer(
    _ identifier: RequestIdentifier, _ result: Result<JSONValue, AnswerError>,
    from connection: Connection
  ) {
    guard case .number(let callback) = identifier else {
      return violate(
        connection, nil,
        BrokerError(.invalidRequest, "the reply matches no request of the broker"))
    }
    let kind = broker.kind(ofCallback: callback, on: connection.identifier)
    handle(.answered(connection.identifier, callback: callback, read(result, to: kind)))
  }

  private func read(
    _ result: Result<JSONValue, AnswerError>, to kind: AnyCallbackKind?
  ) -> CallbackAnswer {
    switch result {
    case .failure(let error): return .failed(message: error.message)
    case .success(let value):
      do throws(MemberError) {
        switch kind {
        case .scene(.stateRestorationActivity):
          return .activity(try StateRestorationAnswer(reading: value).activity)
        case .delegate(.didFinishLaunching):
          return .launched(accepted: try DidFinishLaunching.Answer(reading: value).accepted)
        case .delegate(.configurationForConnecting):
          return .configuration(try ConfigurationForConnecting.Answer(reading: value))
        case .scene, .delegate, nil: return .done
        }
      } catch {
        return .failed(message: "invalid answer: \(error.inside("result"))")
      }
    }
  }

  /// Replies with an error in the place of the broker, behind the broker's earlier replies.
  private func refuse(
    _ connection: Connection, _ identifier: RequestIdentifier?, _ error: BrokerError
  ) {
    if identifier != nil { connection.requestsInFlight += 1 }
    effects.messages.append(
      Outbound(
        connection: connection.identifier, message: .error(identifier, error), after: 0))
  }

  /// Tells the client which rule of the protocol it violated, and closes the connection.
  func violate(
    _ connection: Connection, _ identifier: RequestIdentifier?, _ error: BrokerError
  ) {
    processRequests()
    log.note("client \(connection.process.pid) violated the protocol: \(error.message)")
    refuse(connection, identifier, error)
    effects.closes.append(connection.identifier)
    connection.stage = .closing
  }
}

/// Turns of busy connections.
extension EventLoop {
  var hasTurns: Bool { input.hasTurns }

  package func waitForTurn(_ connection: Connection) { input.waitForTurn(connection) }

  /// Gives busy connections their turns. `read` reads from the socket of a connection, hands in what
  /// it has read, and returns the number of bytes.
  package func takeTurns(ready: Int = 0, _ read: (Connection) -> Int = { _ in 0 }) {
    processRequests()
    var (unread, unwritten) = (Share.input(ofReady: ready), Share.output)
    var count = 0
    let waiting = input.turnCount
    while count < waiting, unread > 0, unwritten > 0 {
      let connection = input.beginTurn(at: count)
      count += 1
      guard connection.stage.acceptsInput, !connection.isPaused else { continue }
      guard connection.writtenByteCount <= Share.output else {
        waitForTurn(connection)
        continue
      }
      let written = connection.writtenByteCount
      if connection.heldInput.isEmpty {
        unread -= read(connection)
      } else {
        unread -= connection.heldInput.count
        processHeldInput(of: connection)
      }
      processRequests()
      unwritten -= connection.writtenByteCount - written
    }
    input.endTurns(count)
  }

  /// Whether the next frame of a connection waits for the next iteration, or until its client reads.
  func mustWait(_ connection: Connection) -> Bool {
    if connection.hasParsedRequest { processRequests() }
    return !connection.processesAllInput
      && (connection.writtenByteCount > Share.output || connection.isPaused)
  }

  func hold(_ bytes: Span<UInt8>, of connection: Connection) {
    bytes.withUnsafeBufferPointer { connection.heldInput.append(contentsOf: $0) }
    output.recount(connection)
    waitForTurn(connection)
  }

  private func processHeldInput(of connection: Connection) {
    let held = connection.heldInput
    connection.heldInput = []
    receive(held.span, from: connection)
  }

  /// Processes all input of a connection that ends. A client that is gone gets no replies.
  func processRest(of connection: Connection) {
    connection.processesAllInput = true
    if !connection.heldInput.isEmpty { processHeldInput(of: connection) }
    processRequests()
  }
}
