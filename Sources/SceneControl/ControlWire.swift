import ScenePlatform
import SceneWire

/// Frames over a socket that blocks, each way.
///
/// Deadlines are times of ``SystemClock/monotonic()``; without one it waits for as long as the
/// connection lasts.
final class ControlWire {
  var onFrame: ((FrameDirection, ContiguousArray<UInt8>) -> Void)?
  var onLongWait: (() -> Void)?
  var horizon: Int64?
  var isFutile: (() -> Bool)?

  private static var longWait: Int64 { 200_000_000 }
  private static var lookAgain: Int64 { 50_000_000 }

  private let socket: FileDescriptor
  private var decoder = FrameDecoder()
  private let buffer = InputBuffer()
  /// Frames that have come and were not looked at, the next one first.
  private var frames: [ContiguousArray<UInt8>] = []

  init(_ socket: consuming FileDescriptor) { self.socket = socket }

  // MARK: - Sending

  /// Sends frames. That nobody reads them is found when an answer is read: the broker may have said
  /// why before it closed.
  func send(_ bytes: ArraySlice<UInt8>, until deadline: Int64?) throws(ControlError) {
    show(bytes)
    var sent = 0
    while sent < bytes.count {
      let outcome = bytes.withUnsafeBytes { whole in
        socket.send(UnsafeRawBufferPointer(rebasing: whole[sent...]), waits: false)
      }
      switch outcome {
      case .bytes(let count): sent += count
      case .wouldBlock:
        let left = deadline.map { max(0, $0 - SystemClock.monotonic()) }
        let isWritable = try system { () throws(SystemError) in
          try socket.waitWritable(nanoseconds: left)
        }
        guard isWritable else { throw .timedOut }
      case .failed(let code):
        guard code.isDisconnected else { throw .system(SystemError(call: "send", code: code)) }
        return
      }
    }
  }

  private func show(_ bytes: ArraySlice<UInt8>) {
    guard let onFrame else { return }
    var decoder = FrameDecoder()
    do throws(FrameError) {
      try decoder.decode(bytes.span) { content in
        onFrame(.sent, content.withUnsafeBufferPointer { ContiguousArray($0) })
        return true
      }
    } catch {
      preconditionFailure("frames of our own: \(error)")
    }
  }

  /// Sends the first half of a frame of a few bytes, for which there is room, and then nothing any
  /// more.
  func breakOff(in frame: ContiguousArray<UInt8>) throws(ControlError) {
    _ = frame.withUnsafeBytes {
      socket.send(UnsafeRawBufferPointer(rebasing: $0[..<($0.count / 2)]))
    }
    try system { () throws(SystemError) in try socket.endSending() }
  }

  // MARK: - Receiving

  /// The next frame, if it has come.
  func takeFrame() -> ContiguousArray<UInt8>? {
    guard !frames.isEmpty else { return nil }
    let frame = frames.removeFirst()
    onFrame?(.received, frame)
    return frame
  }

  /// The next frame; nil when the deadline came first.
  func nextFrame(until deadline: Int64?) throws(ControlError) -> ContiguousArray<UInt8>? {
    while frames.isEmpty {
      guard try receive(until: deadline) else { return nil }
    }
    return takeFrame()
  }

  /// Waits until something comes, for as long as somebody reads what is written to a stream; false
  /// when nobody does.
  func receive(whileRead stream: StandardStream) throws(ControlError) -> Bool {
    let isRead = try system { () throws(SystemError) in
      try socket.waitReadable(whileRead: stream)
    }
    guard isRead else { return false }
    _ = try receive(until: nil)
    return true
  }

  /// Takes in what comes next, which need not be a whole frame; false when the deadline came first.
  private func receive(until deadline: Int64?) throws(ControlError) -> Bool {
    let limits = [deadline, horizon].compactMap { $0 }
    if let onLongWait {
      let left = limits.min().map { max(0, $0 - SystemClock.monotonic()) } ?? .max
      let isReadable = try system { () throws(SystemError) in
        try socket.waitReadable(nanoseconds: min(left, Self.longWait))
      }
      if !isReadable, left > Self.longWait {
        self.onLongWait = nil
        onLongWait()
      }
    }
    if let isFutile { try wait(until: limits.min(), unless: isFutile) }
    if let limit = limits.min() {
      let left = max(0, limit - SystemClock.monotonic())
      let isReadable = try system { () throws(SystemError) in
        try socket.waitReadable(nanoseconds: left)
      }
      if !isReadable, limit == horizon { throw .timedOut }
      guard isReadable else { return false }
    }
    switch socket.receive(into: buffer.bytes) {
    case .bytes(let count):
      try decode(count)
    case .wouldBlock:
      _ = try system { () throws(SystemError) in try socket.waitReadable() }
    case .end:
      throw .lost(lastWords: nil)
    case .failed(let code):
      guard code.isDisconnected else { throw .system(SystemError(call: "recv", code: code)) }
      throw .lost(lastWords: nil)
    }
    return true
  }

  /// Returns when there is something to read, or the time is over.
  private func wait(until limit: Int64?, unless isFutile: () -> Bool) throws(ControlError) {
    while true {
      let left = limit.map { max(0, $0 - SystemClock.monotonic()) } ?? .max
      let isReadable = try system { () throws(SystemError) in
        try socket.waitReadable(nanoseconds: min(left, Self.lookAgain))
      }
      if isReadable || left <= Self.lookAgain { return }
      guard isFutile() else { continue }
      // What has come meanwhile is an answer all the same.
      let isAnswered = try system { () throws(SystemError) in
        try socket.waitReadable(nanoseconds: 0)
      }
      if isAnswered { return }
      throw .timedOut
    }
  }

  private func decode(_ count: Int) throws(ControlError) {
    do throws(FrameError) {
      try buffer.withSpan(of: count) { bytes throws(FrameError) in
        try decoder.decode(bytes) { content in
          frames.append(content.withUnsafeBufferPointer { ContiguousArray($0) })
          return true
        }
      }
    } catch {
      throw .garbled(error.description)
    }
  }

  private func system<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(ControlError) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      throw .system(error)
    }
  }
}
