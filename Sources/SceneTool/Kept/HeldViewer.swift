import ScenePlatform

/// The holder's end of the connection to a viewer.
final class HeldViewer {
  let socket: FileDescriptor
  private var reader = ViewerFrameReader()
  /// Nil until the viewer has attached.
  var size: Terminal.Size?
  /// The frames that the socket has not taken. The first one can be sent in part.
  private var frames: [[UInt8]] = []
  private var sentCount = 0
  private var pendingCount = 0
  /// When the socket took bytes, or had none to take.
  private(set) var progress: Int64 = 0
  /// Whether the viewer has not read for so long that it misses output.
  private(set) var isBehind = false
  /// Whether the connection ends after the pending frames.
  private(set) var isClosing = false
  private(set) var isLost = false

  /// The number of pending bytes from which on a viewer slows the program.
  private static let limit = 64 << 10

  init(_ socket: consuming FileDescriptor) { self.socket = socket }

  var isAttached: Bool { size != nil && !isClosing && !isLost }

  /// Whether the program waits for this viewer. The last frames stay until a closing viewer reads.
  var isBlocking: Bool { !isBehind && !isClosing && !isLost && pendingCount >= Self.limit }

  var isFinished: Bool { isLost || isClosing && frames.isEmpty }

  /// Whether it must be known that the socket takes bytes.
  var awaitsSpace: Bool { isBehind || !frames.isEmpty }

  /// The frames that have arrived.
  func receive(_ buffer: InputBuffer) -> [ViewerFrame] {
    switch socket.receive(into: buffer.bytes, waits: false) {
    case .bytes(let count): return reader.take(buffer.bytes[..<count])
    case .wouldBlock: return []
    case .end, .failed:
      isLost = true
      return []
    }
  }

  func send(_ frame: ViewerFrame) { send(frame.bytes) }

  /// Sends a complete frame, unless the viewer misses output.
  func send(_ frame: [UInt8]) {
    guard !isBehind, !isClosing, !isLost else { return }
    if frames.isEmpty { progress = SystemClock.monotonic() }
    frames.append(frame)
    pendingCount += frame.count
    flush()
  }

  /// Ends the connection after this frame.
  func close(with frame: ViewerFrame) {
    _ = resume()
    send(frame)
    isClosing = true
  }

  func flush() {
    while let frame = frames.first {
      let outcome = frame.withUnsafeBytes { bytes in
        socket.send(UnsafeRawBufferPointer(rebasing: bytes[sentCount...]), waits: false)
      }
      switch outcome {
      case .wouldBlock: return
      case .failed:
        isLost = true
        return
      case .bytes(let count):
        progress = SystemClock.monotonic()
        sentCount += count
        guard sentCount == frame.count else { continue }
        pendingCount -= frame.count
        sentCount = 0
        frames.removeFirst()
      }
    }
  }

  /// Drops the output that waits, except the rest of a frame.
  func fallBehind() {
    isBehind = true
    frames.removeLast(frames.count - (sentCount > 0 ? 1 : 0))
    pendingCount = frames.first?.count ?? 0
  }

  /// Whether a viewer that missed output has read all that it got.
  var awaitsOutput: Bool { isBehind && frames.isEmpty }

  /// Sends output again. Returns whether the viewer missed output.
  func resume() -> Bool { exchange(&isBehind, with: false) }
}
