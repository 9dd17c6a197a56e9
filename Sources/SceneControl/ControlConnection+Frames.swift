import JSON
import SceneModel
import SceneTransport
import SceneWire

/// The messages in frames, and the reason of an end.
extension ControlConnection {
  /// Takes one frame, reading when none is there; false when the deadline came first.
  func readFrame(until deadline: Int64?) throws(ControlError) -> Bool {
    while true {
      if let frame = try nextFrame() {
        try take(frame)
        return true
      }
      guard try receive(until: deadline) else { return false }
    }
  }

  /// Takes the frames that have come.
  func takeFrames() throws(ControlError) {
    while let frame = try nextFrame() { try take(frame) }
  }

  private func take(_ frame: ContiguousArray<UInt8>) throws(ControlError) {
    let envelope: Envelope
    do throws(EnvelopeError) {
      envelope = try Envelope(frame.span, into: document)
    } catch {
      guard let farewell = error.closeReason else { throw .garbled(error.error.message) }
      lastWords = farewell
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
      // A control makes no scenes, so it has no callbacks.
      outgoing.methodNotFound(identifier, "\(method.methodName) is not a request to a control")
      try flush()
    }
  }

  /// Why nothing more comes. A client that is not welcome is told so in reply to its `initialize`,
  /// or before that is read.
  var end: ControlError {
    switch replies[greetingNumber] {
    case .refusal(let refusal): .refused(refusal)
    case nil where greeting == nil: lastWords.map { .refused($0) } ?? .lost(lastWords: nil)
    case .result, nil: .lost(lastWords: lastWords?.message)
    }
  }
}
