import SceneBroker
import SceneJSON
import SceneModel
import SceneWire

/// Input of the clients: bytes, frames, and replies to callbacks.
extension EventLoop {
  /// Takes in bytes. The broker gets the requests among them at once.
  package func receive(_ bytes: Span<UInt8>, from connection: Connection) {
    input.noteInput()
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
}
