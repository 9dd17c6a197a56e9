import SceneModel
import ScenePlatform
import SceneWire

/// One connection of the application delegate. Whatever writes does so behind the client's lock; one
/// thread receives.
final class DelegateLink: @unchecked Sendable {
  private let socket: FileDescriptor
  private var writer = FrameWriter()
  private let onFrame: FrameObserver?
  private var lastPing = DelegateReader.greeting

  init(_ socket: consuming FileDescriptor, _ onFrame: FrameObserver?) {
    self.socket = socket
    self.onFrame = onFrame
  }

  func introduce(_ greeting: Initialize) {
    writer.request(.number(DelegateReader.greeting), greeting)
    flush()
  }

  func ping() {
    lastPing += 1
    writer.request(.number(lastPing), Ping())
    flush()
  }

  func answer(_ number: Int64, _ answer: DelegateAnswer) {
    let identifier = RequestIdentifier.number(number)
    switch answer {
    case .done: writer.answer(identifier, Empty())
    case .launched(let accepted):
      writer.answer(identifier, DidFinishLaunching.Answer(accepted: accepted))
    case .configuration(let choice): writer.answer(identifier, choice)
    case .carried(let result): writer.answer(identifier, result)
    case .failed(let message):
      writer.failure(identifier, code: ErrorReason.requestDenied.code, message: message)
    }
    flush()
  }

  func refuse(_ identifier: RequestIdentifier, _ method: String) {
    writer.failure(
      identifier, code: ErrorReason.methodNotFound.code,
      message: "this client has no method \(method)")
    flush()
  }

  /// The reader finds the end of the connection.
  private func flush() {
    let bytes = writer.take()
    onFrame?(.sent, ContiguousArray(bytes.dropFirst(FrameDecoder.headerLength)))
    var sent = 0
    while sent < bytes.count {
      let outcome = bytes.withUnsafeBytes {
        socket.send(UnsafeRawBufferPointer(rebasing: $0[sent...]))
      }
      switch outcome {
      case .bytes(let count): sent += count
      case .wouldBlock: return
      case .failed(let code):
        // The connection still exists. Its end must reach the reader, because a message is lost.
        if !code.isDisconnected { try? socket.endSending() }
        return
      }
    }
  }

  func receive(into buffer: UnsafeMutableRawBufferPointer) -> ReceiveOutcome {
    socket.receive(into: buffer)
  }
}
