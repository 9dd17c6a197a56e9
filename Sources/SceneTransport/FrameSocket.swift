import SceneJSON
import SceneModel
package import ScenePlatform
package import SceneWire

/// A connected socket that sends and receives frames.
///
/// The modes of the socket do not matter: ``flush()`` and ``receive()`` never wait. One thread
/// receives. Another thread can send at the same time; calls that send must not overlap.
package final class FrameSocket: @unchecked Sendable {
  // `output`, `unsent`, `start` and `sendFailure` belong to the sending thread; `decoder`,
  // `frames`, `frameError` and `buffer` to the receiving thread.
  private let socket: FileDescriptor
  private var output = FrameWriter()
  /// The bytes that the socket has not taken are `unsent[start...]`. The array begins with a whole
  /// frame.
  private var unsent: ContiguousArray<UInt8> = []
  private var start = 0
  private var sendFailure: ErrorCode?
  private var decoder = FrameDecoder()
  private var frames: ArraySlice<ContiguousArray<UInt8>> = []
  private var frameError: FrameError?
  private let buffer = InputBuffer()

  /// Receives the content of each frame when it is sent or taken. Set it before the first call.
  package var onFrame: ((FrameDirection, ContiguousArray<UInt8>) -> Void)?

  package init(_ socket: consuming FileDescriptor) { self.socket = socket }

  /// The number of the descriptor, for a poller.
  package var number: Int32 { socket.number }

  // MARK: - Sending

  package var hasUnsent: Bool { !isBroken && (start < unsent.count || output.count > 0) }

  package var unsentByteCount: Int { unsent.count - start + output.count }

  /// Whether a send failed. Nothing more is sent; the end reaches the receiving thread.
  package var isBroken: Bool { sendFailure != nil }

  /// The numbers of the requests that the socket has not taken whole. The peer cannot perform them.
  package var unsentRequests: Set<Int64> {
    flushWriter()
    var numbers: Set<Int64> = []
    let document = JSONDocument()
    let frames = ContiguousArray(unsent[firstUnsentFrame...])
    var decoder = FrameDecoder()
    try? decoder.decode(frames.span) { content in
      if case .request(.number(let number), _, _)? = try? Envelope(content, into: document) {
        numbers.insert(number)
      }
      return true
    }
    return numbers
  }

  /// The place of the first frame that the socket has not taken whole.
  private var firstUnsentFrame: Int {
    var place = 0
    while place + FrameDecoder.headerLength <= start {
      let header = unsent[place..<place + FrameDecoder.headerLength]
      let end = header.reduce(0) { $0 << 8 | Int($1) } + place + FrameDecoder.headerLength
      guard end <= start else { break }
      place = end
    }
    return place
  }

  /// Adds the frames that `body` writes to the output.
  package func write<Failure: Error>(
    _ body: (inout FrameWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try body(&output)
  }

  /// Adds bytes to the output as they are.
  package func write(bytes: ArraySlice<UInt8>) {
    flushWriter()
    append(bytes)
  }

  /// Sends as much of the output as the socket takes. The rest stays for the next flush.
  package func flush() {
    flushWriter()
    while start < unsent.count {
      guard !isBroken else { return }
      let outcome = unsent.withUnsafeBytes { bytes in
        socket.send(UnsafeRawBufferPointer(rebasing: bytes[start...]), waits: false)
      }
      switch outcome {
      case .bytes(let count): start += count
      case .wouldBlock: return compact()
      case .failed(let code):
        sendFailure = code
        // The connection still exists. Its end must reach the reader, because a message is lost.
        if !code.isDisconnected { try? socket.endSending() }
      }
    }
    (unsent, start) = ([], 0)
  }

  /// Sends the whole output; false at the deadline, a time of `SystemClock.monotonic()`.
  ///
  /// A peer that closed the connection is no error here: its last message may explain the end.
  package func flush(until deadline: Int64?) throws(SystemError) -> Bool {
    flush()
    while hasUnsent {
      let left = deadline.map { max(0, $0 - SystemClock.monotonic()) }
      guard try socket.waitWritable(nanoseconds: left) else { return false }
      flush()
    }
    if let sendFailure, !sendFailure.isDisconnected {
      throw SystemError(call: "send", code: sendFailure)
    }
    return true
  }

  /// Ends sending. The socket can still receive.
  package func endSending() throws(SystemError) { try socket.endSending() }

  private func flushWriter() {
    if output.count > 0 { append(output.take()[...]) }
  }

  private func append(_ bytes: ArraySlice<UInt8>) {
    show(bytes)
    if start < unsent.count {
      unsent += bytes
    } else {
      (unsent, start) = (ContiguousArray(bytes), 0)
    }
  }

  private func show(_ bytes: ArraySlice<UInt8>) {
    guard let onFrame else { return }
    var decoder = FrameDecoder()
    // Bytes that are not a whole frame are not shown.
    try? decoder.decode(bytes.span) { content in
      onFrame(.sent, content.withUnsafeBufferPointer { ContiguousArray($0) })
      return true
    }
  }

  /// Frees the sent frames when they are the greater part.
  private func compact() {
    guard start > unsent.count / 2 else { return }
    let sent = firstUnsentFrame
    unsent.removeFirst(sent)
    start -= sent
  }

  // MARK: - Receiving

  /// Reads once and cuts the bytes into frames for ``nextFrame()``. `.bytes` need not complete a
  /// frame.
  package func receive() -> ReceiveOutcome {
    let outcome = socket.receive(into: buffer.bytes, waits: false)
    if case .bytes(let count) = outcome, frameError == nil {
      do throws(FrameError) {
        try buffer.withSpan(of: count) { bytes throws(FrameError) in
          try decoder.decode(bytes) { content in
            frames.append(content.withUnsafeBufferPointer { ContiguousArray($0) })
            return true
          }
        }
      } catch {
        frameError = error
      }
    }
    return outcome
  }

  /// The content of the next received frame; nil if no whole frame has arrived.
  ///
  /// - Throws: after the last valid frame, if the bytes behind it are not a frame.
  package func nextFrame() throws(FrameError) -> ContiguousArray<UInt8>? {
    guard let frame = frames.popFirst() else {
      if let frameError { throw frameError }
      return nil
    }
    // The slice keeps the taken frames.
    if frames.isEmpty { frames = [] }
    onFrame?(.received, frame)
    return frame
  }

  /// Waits for input, at most `nanoseconds`; false after that time.
  package func waitReadable(nanoseconds: Int64? = nil) throws(SystemError) -> Bool {
    try socket.waitReadable(nanoseconds: nanoseconds)
  }

  /// Waits for input; false if the reader of `stream` closes it first.
  package func waitReadable(whileRead stream: StandardStream) throws(SystemError) -> Bool {
    try socket.waitReadable(whileRead: stream)
  }
}
