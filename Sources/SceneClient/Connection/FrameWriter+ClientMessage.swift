import SceneJSON
import SceneModel
import SceneTransport
import SceneWire

extension FrameWriter {
  /// Throws if a request is longer than the broker takes: the broker would close the connection.
  mutating func write(_ message: ClientMessage, limit: Int) throws(FrameError) {
    switch message {
    case .request(let number, let request):
      try self.request(.number(number), request.message, limit: limit)
    case .answer(let identifier, let answer): write(answer, to: identifier)
    case .unknown(let identifier, let method):
      methodNotFound(identifier, "this client has no method \(method)")
    }
  }

  private mutating func write(_ answer: CallAnswer, to identifier: RequestIdentifier) {
    switch answer {
    case .done: self.answer(identifier, Empty())
    case .activity(let activity):
      self.answer(identifier, StateRestorationAnswer(activity: activity))
    case .launched(let accepted):
      self.answer(identifier, DidFinishLaunching.Answer(accepted: accepted))
    case .configuration(let choice): self.answer(identifier, choice)
    case .carried(let result): self.answer(identifier, result)
    case .failed(let message):
      failure(identifier, code: ErrorReason.requestDenied.code, message: message)
    }
  }
}
