import SceneJSON
import SceneModel
import SceneTransport
import SceneWire

/// The messages in frames, and the reason for the end of a connection.
extension ControlConnection {
  /// Handles one frame, and reads if none has arrived; false at the deadline. Returns also after
  /// the end of a broker, because requests may have failed.
  func readFrame(until deadline: Int64?) throws(ControlError) -> Bool {
    while true {
      if let frame = try nextFrame() {
        try take(frame)
        return true
      }
      let before = interruptionCount
      guard try receive(until: deadline) else { return false }
      if interruptionCount != before { return true }
    }
  }

  /// Handles the frames that have arrived.
  func takeFrames() throws(ControlError) {
    while let frame = try nextFrame() { try take(frame) }
  }

  private func take(_ frame: ContiguousArray<UInt8>) throws(ControlError) {
    if !isResuming { losses = Losses() }
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
      noteReply(to: number, result.raw)
      if forgotten.remove(number) == nil { replies[number] = .success(result.raw) }
    case .failure(.number(let number), let error):
      let refusal = RemoteError(reading: error)
      if refusal.isOfUpgrade, unanswered[number] != nil {
        postponed.insert(number)
        break
      }
      noteReply(to: number, nil)
      if forgotten.remove(number) == nil { replies[number] = .failure(.refused(refusal)) }
    case .result(.string, _), .failure(.string, _):
      throw .garbled("reply to an unknown request")
    case .request(nil, let method, let params):
      let notification = try ControlNotification(
        method: method, params: params?.raw ?? .emptyObject)
      advance(behind: notification)
      notifications.append(notification)
    case .request(let identifier?, let method, _):
      // A control client has no scenes, so it gets no callbacks.
      let problem = "\(method.methodName) is not a request to a control"
      socket.write { $0.methodNotFound(identifier, problem) }
      try flush()
    }
  }

  /// The reason for the end of the connection. The broker refuses a client in the reply to
  /// `initialize`, or before it reads that request.
  var end: ControlError {
    switch replies[Self.greetingNumber] {
    case .failure(let refusal): refusal
    case nil where greeting == nil: lastWords.map { .refused($0) } ?? .lost(lastWords: nil)
    case .success, nil: .lost(lastWords: lastWords?.message)
    }
  }
}
