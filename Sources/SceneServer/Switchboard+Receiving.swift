import JSON
import SceneBroker
import SceneModel
import SceneWire

/// From bytes to what the rules are asked.
///
/// Requests of different connections are all read before the first of them is put to the rules, and
/// all are put to the rules before the first answer is written: the code of each of the three fits
/// the processor's nearest memory, and that of all three does not.
extension Switchboard {
  /// Takes in bytes. The requests among them are put to the rules before anything else is.
  package func receive(_ bytes: Span<UInt8>, from connection: Connection) {
    hasHeard = true
    guard connection.stage.isHeard else { return }
    guard connection.heldInput.isEmpty, !mustWait(connection) else {
      return hold(bytes, of: connection)
    }
    connection.isBusy = bytes.count >= Share.busyInput
    // The decoder is taken out, so that what a frame leads to may look at the connection.
    var decoder = FrameDecoder(limit: limits.frameBytes)
    swap(&decoder, &connection.decoder)
    var completed = false
    var count = bytes.count
    do throws(FrameError) {
      count = try decoder.decode(bytes, while: { !mustWait(connection) }) { content in
        completed = true
        take(content, from: connection)
        return connection.stage.isHeard
      }
    } catch {
      violate(connection, nil, BrokerError(.invalidRequest, error.description))
    }
    let isWithinFrame = decoder.isWithinFrame
    swap(&decoder, &connection.decoder)
    countWaiting(of: connection)
    if count < bytes.count { hold(bytes.extracting(count...), of: connection) }
    guard isWithinFrame || connection.hasFrameTimer else { return }
    watchFrame(of: connection, isWithinFrame, afterAnother: completed)
  }

  /// Each frame has its own time; one that was completed does not count against the next.
  private func watchFrame(
    of connection: Connection, _ isWithinFrame: Bool, afterAnother: Bool
  ) {
    if !isWithinFrame {
      cancel(.frame(connection.identifier))
    } else if afterAnother || !connection.hasFrameTimer {
      set(.frame(connection.identifier), after: .seconds(Int64(limits.frameSeconds)))
    }
    connection.hasFrameTimer = isWithinFrame
  }

  private func take(_ content: Span<UInt8>, from connection: Connection) {
    let envelope: Envelope
    do throws(EnvelopeError) {
      envelope = try Envelope(content, into: document)
    } catch {
      return violate(connection, error.identifier, error.error)
    }
    switch consume envelope {
    case .request(let identifier, let method, let params):
      // What waits for the connection is known before it asks for more. Asking reads nothing into the
      // document, of which method and parameters are views.
      if connection.asks { askRules() }
      guard connection.stage.isHeard else { return }
      do throws(BrokerError) {
        let request = try ClientRequest.read(method: method, params: params)
        heard.append(.understood(connection, identifier, request))
      } catch {
        heard.append(.wrong(connection, identifier, error))
      }
      connection.asks = true
    case .result(let identifier, let result):
      askRules()
      answer(identifier, .success(result), from: connection)
    case .failure(let identifier, let error):
      askRules()
      let message = error["message"]?.string ?? "without a message"
      answer(identifier, .failure(AnswerError(message: message)), from: connection)
    }
  }

  /// Puts to the rules what was heard, and writes what they have answered.
  func askRules() {
    if heard.isEmpty { return }
    // Each is taken out: to go through the array would mean to retain and release what they hold.
    for index in heard.indices {
      if let request = heard[index].take() { ask(request) }
    }
    heard.removeAll(keepingCapacity: true)
    post(&effects.messages)
  }

  private func ask(_ request: consuming HeardRequest) {
    broker.waitingByteCount = waitingByteCount
    switch consume request {
    case .understood(let connection, let identifier, let content):
      connection.asks = false
      if let identifier {
        if let error = overload(of: connection) { return refuse(connection, identifier, error) }
        connection.requestsInFlight += 1
      }
      broker.handle(
        .requested(connection.identifier, identifier, content, fresh: identifiers.next()),
        at: now, into: &effects)
      if connection.stage == .greeting { _ = greet(connection) }
    case .wrong(let connection, let identifier, let error):
      connection.asks = false
      guard let identifier else { return }
      refuse(connection, identifier, overload(of: connection) ?? error)
    }
  }

  /// Why a connection's requests have to wait, whatever they are.
  private func overload(of connection: Connection) -> BrokerError? {
    if connection.requestsInFlight >= limits.requestsInFlight {
      BrokerError(
        .tooMany, "\(limits.requestsInFlight) requests of this connection wait already",
        retry: .later)
    } else if connection.outbox.byteCount > limits.outboxBytes {
      BrokerError(
        .tooMany, "\(connection.outbox.byteCount) bytes for this connection wait already",
        retry: .later)
    } else {
      nil
    }
  }

  /// Only `initialize` ends the wait for it; whether it has.
  func greet(_ connection: Connection) -> Bool {
    guard broker.isInitialized(connection.identifier) else { return false }
    connection.stage = .open
    cancel(.greeting(connection.identifier))
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
        BrokerError(.invalidRequest, "a reply to a request that was never sent"))
    }
    let kind = broker.kind(ofCallback: callback, on: connection.identifier)
    handle(.answered(connection.identifier, callback: callback, read(result, to: kind)))
  }

  private func read(
    _ result: Result<JSONValue, AnswerError>, to kind: CalledKind?
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
        return .failed(message: "the answer cannot be read: \(error.inside("result"))")
      }
    }
  }

  /// Answers without asking the rules; behind what they have answered already.
  private func refuse(
    _ connection: Connection, _ identifier: RequestIdentifier?, _ error: BrokerError
  ) {
    if identifier != nil { connection.requestsInFlight += 1 }
    effects.messages.append(
      Outbound(
        connection: connection.identifier, message: .error(identifier, error), after: 0))
  }

  /// The peer broke the protocol: it is told why, and left.
  func violate(
    _ connection: Connection, _ identifier: RequestIdentifier?, _ error: BrokerError
  ) {
    askRules()
    log.note("client \(connection.process.pid) broke the protocol: \(error.message)")
    refuse(connection, identifier, error)
    effects.closes.append(connection.identifier)
    connection.stage = .leaving
  }
}

/// A request that was not put to the rules yet; without an identifier it is not answered.
enum HeardRequest {
  case understood(Connection, RequestIdentifier?, ClientRequest)
  case wrong(Connection, RequestIdentifier?, BrokerError)
}
