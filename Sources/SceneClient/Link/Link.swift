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

  func write(_ message: ClientMessage) {
    let start = writer.count
    writer.write(message)
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
      case .failed: isBroken = true
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
  mutating func write(_ message: ClientMessage) {
    switch message {
    case .request(let number, let request): write(request, .number(number))
    case .answer(let identifier, .done): answer(identifier, Empty())
    case .answer(let identifier, .activity(let activity)):
      answer(identifier, StateRestorationAnswer(activity: activity))
    case .answer(let identifier, .failed(let message)):
      failure(identifier, code: ErrorReason.requestDenied.code, message: message)
    case .unknown(let identifier, let method):
      failure(
        identifier, code: ErrorReason.methodNotFound.code, message: "no method \(method) here")
    }
  }

  private mutating func write(_ request: ClientRequest, _ identifier: RequestIdentifier) {
    switch request {
    case .initialize(let message): self.request(identifier, message)
    case .connect(let message): self.request(identifier, message)
    case .disconnect(let message): self.request(identifier, message)
    case .transition(let message): self.request(identifier, message)
    case .update(let message): self.request(identifier, message)
    case .extend(let message): self.request(identifier, message)
    case .saveActivity(let message): self.request(identifier, message)
    case .setUserInfo(let message): self.request(identifier, message)
    case .setName(let message): self.request(identifier, message)
    case .list(let message): self.request(identifier, message)
    case .show(let message): self.request(identifier, message)
    case .history(let message): self.request(identifier, message)
    case .observe(let message): self.request(identifier, message)
    case .activate(let message): self.request(identifier, message)
    case .destroy(let message): self.request(identifier, message)
    case .status(let message): self.request(identifier, message)
    case .reclaim(let message): self.request(identifier, message)
    case .terminate(let message): self.request(identifier, message)
    case .trace(let message): self.request(identifier, message)
    case .ping(let message): self.request(identifier, message)
    case .describe(let message): self.request(identifier, message)
    case .settle(let message): self.request(identifier, message)
    case .advanceClock(let message): self.request(identifier, message)
    case .returnError(let message): self.request(identifier, message)
    }
  }
}
