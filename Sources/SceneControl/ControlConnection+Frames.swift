import JSON
import SceneModel
import SceneWire
import ScenePlatform

/// What frames say, and what an end means.
extension ControlConnection {
  /// Takes one frame, reading when none is there; false when the deadline came first.
  func readFrame(until deadline: Int64?) throws(ControlError) -> Bool {
    let frame = try explainingEnd { () throws(ControlError) in
      try wire.nextFrame(until: deadline)
    }
    guard let frame else { return false }
    try take(frame)
    return true
  }

  /// Takes the frames that have come.
  func takeFrames() throws(ControlError) {
    while let frame = wire.takeFrame() { try take(frame) }
  }

  /// False when nobody reads the stream any more.
  func receive(whileRead stream: StandardStream) throws(ControlError) -> Bool {
    try explainingEnd { () throws(ControlError) in try wire.receive(whileRead: stream) }
  }

  private func take(_ frame: ContiguousArray<UInt8>) throws(ControlError) {
    let envelope: Envelope
    do throws(EnvelopeError) {
      envelope = try Envelope(frame.span, into: document)
    } catch {
      guard let farewell = error.farewell else { throw .garbled(error.error.message) }
      lastWords = farewell
      return
    }
    switch envelope {
    case .result(.number(let number), let result):
      if forgotten.remove(number) == nil { replies[number] = .result(result.raw) }
    case .failure(.number(let number), let error):
      if forgotten.remove(number) == nil { replies[number] = .refusal(Refusal(reading: error)) }
    case .result(.string, _), .failure(.string, _):
      throw .garbled("reply to an unknown request")
    case .request(nil, let method, let params):
      notifications.append(
        ControlNotification(method: method.string ?? "", params: params?.raw ?? .emptyObject))
    case .request(let identifier?, let method, _):
      // A control makes no scenes, so it has no callbacks.
      outgoing.failure(
        identifier, code: ErrorReason.methodNotFound.code,
        message: "\((method.string ?? "").clipped(to: 100)) is not a request to a control")
      try flush()
    }
  }

  private func explainingEnd<Result>(
    _ body: () throws(ControlError) -> Result
  ) throws(ControlError) -> Result {
    do throws(ControlError) {
      return try body()
    } catch .lost {
      throw end
    }
  }

  /// Why nothing more comes. A client that is not welcome is told so in reply to its `initialize`,
  /// or before that is read.
  private var end: ControlError {
    switch replies[greetingNumber] {
    case .refusal(let refusal): .refused(refusal)
    case nil where greeting == nil: lastWords.map { .refused($0) } ?? .lost(lastWords: nil)
    case .result, nil: .lost(lastWords: lastWords?.message)
    }
  }
}
