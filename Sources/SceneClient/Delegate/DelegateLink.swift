import SceneModel
import ScenePlatform
import SceneTransport
import SceneWire

/// One connection of the application delegate. Whatever writes does so behind the client's lock; one
/// thread receives.
final class DelegateLink: @unchecked Sendable {
  private let socket: FrameSocket
  private var lastPing = DelegateReader.greeting

  init(_ socket: FrameSocket) { self.socket = socket }

  func introduce(_ greeting: Initialize) {
    socket.write { $0.request(.number(DelegateReader.greeting), greeting) }
    flush()
  }

  func ping() {
    lastPing += 1
    let number = lastPing
    socket.write { $0.request(.number(number), Ping()) }
    flush()
  }

  func answer(_ number: Int64, _ answer: DelegateAnswer) {
    socket.write { Self.write(answer, to: .number(number), into: &$0) }
    flush()
  }

  func refuse(_ identifier: RequestIdentifier, _ method: String) {
    socket.write { $0.methodNotFound(identifier, "this client has no method \(method)") }
    flush()
  }

  /// The reader finds the end of the connection.
  private func flush() { _ = try? socket.flush(until: nil) }

  private static func write(
    _ answer: DelegateAnswer, to identifier: RequestIdentifier, into writer: inout FrameWriter
  ) {
    switch answer {
    case .done: writer.answer(identifier, Empty())
    case .launched(let accepted):
      writer.answer(identifier, DidFinishLaunching.Answer(accepted: accepted))
    case .configuration(let choice): writer.answer(identifier, choice)
    case .carried(let result): writer.answer(identifier, result)
    case .failed(let message):
      writer.failure(identifier, code: ErrorReason.requestDenied.code, message: message)
    }
  }
}
