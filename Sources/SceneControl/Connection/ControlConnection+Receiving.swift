import ScenePlatform
import SceneTransport
import SceneWire

/// Sending and receiving, and the limits of a wait.
extension ControlConnection {
  private static var longWait: Int64 { 200_000_000 }
  private static var lookAgain: Int64 { 50_000_000 }

  /// Sends what is written. If the broker has closed the connection, the receiver finds the end,
  /// because the last message of the broker may explain it.
  func flushSocket(until deadline: Int64?) throws(ControlError) {
    let isSent = try system(socket.flush(until: deadline))
    guard isSent else { throw .timedOut }
  }

  func nextFrame() throws(ControlError) -> ContiguousArray<UInt8>? {
    do throws(FrameError) {
      return try socket.nextFrame()
    } catch {
      throw .garbled(error.description)
    }
  }

  /// Waits for input, which need not be a whole frame; false if the reader of `stream` closes it
  /// first.
  func receive(whileRead stream: StandardStream) throws(ControlError) -> Bool {
    let isRead = try system(socket.waitReadable(whileRead: stream))
    guard isRead else { return false }
    _ = try receive(until: nil)
    return true
  }

  /// Waits for input, which need not be a whole frame; false at the deadline.
  func receive(until deadline: Int64?) throws(ControlError) -> Bool {
    let limit = [deadline, horizon].compactMap(\.self).min()
    if let onLongWait {
      let left = Self.time(until: limit)
      if try !waitReadable(left.map { min($0, Self.longWait) } ?? Self.longWait),
        left.map({ $0 > Self.longWait }) ?? true
      {
        self.onLongWait = nil
        onLongWait()
      }
    }
    if let shouldAbandonWait { try wait(until: limit, unless: shouldAbandonWait) }
    guard try waitReadable(Self.time(until: limit)) else {
      if limit == horizon { throw .timedOut }
      return false
    }
    switch socket.receive() {
    case .bytes, .wouldBlock: return true
    case .end: break
    case .failed(let code):
      guard code.isDisconnected else { throw .system(SystemError(call: "recv", code: code)) }
    }
    try resume(after: end)
    return true
  }

  /// Returns when there is input, or at the limit.
  private func wait(until limit: Int64?, unless shouldAbandonWait: () -> Bool) throws(ControlError)
  {
    while true {
      let left = Self.time(until: limit) ?? .max
      if try waitReadable(min(left, Self.lookAgain)) || left <= Self.lookAgain { return }
      guard shouldAbandonWait() else { continue }
      // Input can have arrived meanwhile.
      if try waitReadable(0) { return }
      throw .timedOut
    }
  }

  private static func time(until limit: Int64?) -> Int64? {
    limit.map { max(0, $0 - SystemClock.monotonic()) }
  }

  private func waitReadable(_ nanoseconds: Int64?) throws(ControlError) -> Bool {
    try system(socket.waitReadable(nanoseconds: nanoseconds))
  }

  /// The value of a system call. Its error becomes the error of the request.
  func system<Value>(
    _ value: @autoclosure () throws(SystemError) -> Value
  ) throws(ControlError) -> Value {
    do throws(SystemError) {
      return try value()
    } catch {
      throw .system(error)
    }
  }
}
