import CScenePlatform

/// Wakes a ``Poller`` of another thread. The descriptor is readable from ``signal()`` until
/// ``drain()``.
package final class Wakeup: Sendable {
  private let reading: FileDescriptor

  package init() throws(SystemError) {
    let flags = Int32(EFD_CLOEXEC | EFD_NONBLOCK)
    reading = FileDescriptor(adopting: try check("eventfd") { eventfd(0, flags) })
  }

  /// The descriptor to add to a poller, as readable.
  package var number: Int32 { reading.number }

  /// Wakes the poller. Repeated calls before a drain count as one. Any thread may call it.
  package func signal() {
    var one: UInt64 = 1
    _ = retrying { write(reading.number, &one, 8) }
  }

  /// Makes the descriptor unreadable until the next signal. Drain before you read the shared data.
  package func drain() {
    withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { buffer in
      // An eventfd needs one read, a pipe may need several.
      while retrying({ read(reading.number, buffer.baseAddress, buffer.count) }) == buffer.count {}
    }
  }
}
