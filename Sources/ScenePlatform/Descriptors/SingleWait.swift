extension FileDescriptor {
  /// Waits at most `nanoseconds` until the descriptor is readable. Returns whether it is readable.
  package func waitReadable(nanoseconds: Int64? = nil) throws(SystemError) -> Bool {
    try waitUntilReady(number, POLLIN, nanoseconds: nanoseconds)
  }

  /// Waits at most `nanoseconds` until the descriptor is writable. Returns whether it is writable.
  package func waitWritable(nanoseconds: Int64? = nil) throws(SystemError) -> Bool {
    try waitUntilReady(number, POLLOUT, nanoseconds: nanoseconds)
  }
}

extension FileDescriptor {
  /// Waits until the descriptor is readable. Returns false if the reader of `stream` closes it
  /// first.
  package func waitReadable(whileRead stream: StandardStream) throws(SystemError) -> Bool {
    // `poll` reports the closed reader even without requested events.
    var requests = (
      pollfd(fd: number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: stream.number, events: 0, revents: 0)
    )
    while true {
      let count = withUnsafeMutableBytes(of: &requests) { bytes in
        poll(bytes.assumingMemoryBound(to: pollfd.self).baseAddress, 2, -1)
      }
      if count < 0 {
        guard ErrorCode.last == .interrupted else { throw SystemError("poll") }
      } else if requests.0.revents != 0 {
        return true
      } else if Int32(requests.1.revents) & (POLLERR | POLLHUP) != 0 {
        return false
      } else if requests.1.revents != 0 {
        // The system cannot watch this kind of stream.
        return try waitReadable()
      }
    }
  }
}

extension StandardStream {
  /// Waits until the stream is readable.
  package func waitReadable() throws(SystemError) { try waitUntilReady(number, POLLIN) }

  /// Waits at most `nanoseconds` until the reader closes the stream. Returns whether it did.
  package func becomesUnread(nanoseconds: Int64) -> Bool {
    let end = SystemClock.monotonic() + nanoseconds
    var request = pollfd(fd: number, events: 0, revents: 0)
    if poll(&request, 1, milliseconds(nanoseconds)) > 0,
      Int32(request.revents) & (POLLERR | POLLHUP) != 0
    {
      return true
    }
    // The system cannot watch this kind of stream, or a signal has interrupted the wait.
    SystemClock.wait(until: end)
    return false
  }

  /// Waits until the reader closes the stream; true. Returns false at once if the system cannot
  /// watch the stream.
  package func waitUntilUnread() -> Bool {
    while true {
      var request = pollfd(fd: number, events: 0, revents: 0)
      let count = poll(&request, 1, -1)
      if count > 0 { return Int32(request.revents) & (POLLERR | POLLHUP) != 0 }
      if count < 0, ErrorCode.last != .interrupted { return false }
    }
  }
}

/// Waits for one descriptor; false at the timeout.
@discardableResult
func waitUntilReady(
  _ number: Int32, _ events: Int32, nanoseconds: Int64? = nil
) throws(SystemError) -> Bool {
  let deadline = nanoseconds.map { SystemClock.monotonic().addingReportingOverflow($0) }
  while true {
    var left: Int64?
    if let deadline, !deadline.overflow {
      left = deadline.partialValue - SystemClock.monotonic()
    }
    var request = pollfd(fd: number, events: Int16(events), revents: 0)
    let count = poll(&request, 1, milliseconds(left))
    if count > 0 { return true }
    if count < 0 && ErrorCode.last != .interrupted { throw SystemError("poll") }
    if count == 0, let left, left <= Int64(Int32.max) * 1_000_000 { return false }
  }
}

/// Rounds up, so that a wait never ends before its time.
func milliseconds(_ nanoseconds: Int64?) -> Int32 {
  guard let nanoseconds else { return -1 }
  if nanoseconds <= 0 { return 0 }
  let rounded = nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1)
  return Int32(clamping: rounded)
}
