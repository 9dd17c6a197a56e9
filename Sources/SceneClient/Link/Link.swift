import JSON
import SceneModel
import ScenePlatform
import SceneWire

/// One connection to the broker: frames out, bytes in, nothing ever waits.
///
/// The reader alone receives and closes. Whatever writes does so behind the client's lock, and
/// after it was taken from there, only the reader has it.
final class Link: @unchecked Sendable {
  private let socket: FileDescriptor
  private var writer = FrameWriter()
  /// What the socket would not take yet, from `start` on.
  private var unsent: ContiguousArray<UInt8> = []
  private var start = 0
  private(set) var isBroken = false

  /// Bytes that may wait for the broker to read.
  static let limit = 8 << 20

  private let onFrame: FrameObserver?

  init(_ socket: consuming FileDescriptor, onFrame: FrameObserver?) throws(SystemError) {
    self.socket = socket
    self.onFrame = onFrame
    try self.socket.setNonblocking()
  }

  var number: Int32 { socket.number }
  var hasUnsent: Bool { start < unsent.count }
  /// The broker does not read, so the program has to wait.
  var isFull: Bool { unsent.count - start > Self.limit }

  /// A request that is longer than the broker takes is not written: it would be the end of the
  /// connection.
  func write(_ message: ClientMessage, limit: Int) throws(FrameError) {
    let start = writer.count
    try writer.write(message, limit: limit)
    onFrame?(.sent, ContiguousArray(writer.bytes[(start + FrameDecoder.headerLength)...]))
  }

  /// Offers everything to the socket; what it does not take stays.
  func flush() {
    let written = writer.take()
    if hasUnsent { unsent += written } else { (unsent, start) = (written, 0) }
    while hasUnsent, !isBroken {
      let outcome = unsent.withUnsafeBytes { bytes in
        socket.send(UnsafeRawBufferPointer(rebasing: bytes[start...]))
      }
      switch outcome {
      case .bytes(let count): start += count
      case .wouldBlock: return compact()
      case .failed(let code):
        isBroken = true
        // The connection still exists. Its end must reach the reader, because a message is lost.
        if !code.isDisconnected { try? socket.endSending() }
      }
    }
    (unsent, start) = ([], 0)
  }

  /// Gives back what was sent, once that is the greater part.
  private func compact() {
    guard start > unsent.count / 2 else { return }
    unsent.removeFirst(start)
    start = 0
  }

  func receive(into buffer: UnsafeMutableRawBufferPointer) -> ReceiveOutcome {
    socket.receive(into: buffer)
  }

  /// Sends what there is, for at most this long; the other end then reads to the end before it
  /// learns of the close.
  func finish(within nanoseconds: Int64) {
    let deadline = SystemClock.monotonic() + nanoseconds
    flush()
    while hasUnsent, !isBroken {
      let left = deadline - SystemClock.monotonic()
      guard left > 0, (try? socket.waitWritable(nanoseconds: left)) == true else { return }
      flush()
    }
  }
}

extension FrameWriter {
  mutating func write(_ message: ClientMessage, limit: Int) throws(FrameError) {
    switch message {
    case .request(let number, let request):
      try self.request(.number(number), request.message, limit: limit)
    case .answer(let identifier, .done): answer(identifier, Empty())
    case .answer(let identifier, .activity(let activity)):
      answer(identifier, StateRestorationAnswer(activity: activity))
    case .answer(let identifier, .failed(let message)):
      failure(identifier, code: ErrorReason.requestDenied.code, message: message)
    case .unknown(let identifier, let method):
      failure(
        identifier, code: ErrorReason.methodNotFound.code,
        message: "this client has no method \(method)")
    }
  }
}
