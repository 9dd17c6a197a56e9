import SceneJSON
import SceneModel
import SceneTransport
import SceneWire

/// The messages in frames, and the reason for the end of a connection.
extension ControlConnection {
  /// Handles one frame, and reads if none has arrived; false at the deadline.
  func readFrame(until deadline: Int64?) throws(ControlError) -> Bool {
    while true {
      if let frame = try nextFrame() {
        try take(frame)
        return true
      }
      guard try receive(until: deadline) else { return false }
    }
  }

  /// Handles the frames that have arrived.
  func takeFrames() throws(ControlError) {
    while let frame = try nextFrame() { try take(frame) }
  }

  private func take(_ frame: ContiguousArray<UInt8>) throws(ControlError) {
    let envelope: Envelope
    do throws(EnvelopeError) {
      envelope = try Envelope(frame.span, into: document)
    } catch {
      guard let closeReason = error.closeReason else { throw .garbled(error.error.message) }
      lastWords = closeReason
      return
    }
    switch envelope {
    case .result(.number(let number), let result):
      if forgotten.remove(number) == nil { replies[number] = .result(result.raw) }
    case .failure(.number(let number), let error):
      if forgotten.remove(number) == nil { replies[number] = .refusal(RemoteError(reading: error)) }
    case .result(.string, _), .failure(.string, _):
      throw .garbled("reply to an unknown request")
    case .request(nil, let method, let params):
      notifications.append(
        ControlNotification(method: method.string ?? "", params: params?.raw ?? .emptyObject))
    case .request(let identifier?, let method, _):
      // A control client has no scenes, so it gets no callbacks.
      outgoing.methodNotFound(identifier, "\(method.methodName) is not a request to a control")
      try flush()
    }
  }

  /// The reason for the end of the connection. The broker refuses a client in the reply to
  /// `initialize`, or before it reads that request.
  var end: ControlError {
    switch replies[greetingNumber] {
    case .refusal(let refusal): .refused(refusal)
    case nil where greeting == nil: lastWords.map { .refused($0) } ?? .lost(lastWords: nil)
    case .result, nil: .lost(lastWords: lastWords?.message)
    }
  }
}
