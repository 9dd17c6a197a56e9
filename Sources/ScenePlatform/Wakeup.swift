import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Makes a ``Poller`` on another thread come back: readable from ``signal()`` until ``drain()``.
package final class Wakeup: Sendable {
  private let reading: FileDescriptor
  #if canImport(Darwin)
    private let writing: FileDescriptor
  #endif

  package init() throws(SystemError) {
    #if canImport(Darwin)
      var pair = try FileDescriptor.pipe()
      reading = pair.takeFirst()
      writing = pair.takeSecond()
      try reading.setNonblocking()
      try writing.setNonblocking()
    #else
      let flags = Int32(EFD_CLOEXEC | EFD_NONBLOCK)
      reading = FileDescriptor(adopting: try check("eventfd") { eventfd(0, flags) })
    #endif
  }

  /// What to add to the poller, as readable.
  package var number: Int32 { reading.number }

  /// Wakes the poller; many calls before a drain count as one. Any thread may call this.
  package func signal() {
    #if canImport(Darwin)
      var one: UInt8 = 1
      // A full pipe means that it is readable already.
      _ = retrying { Darwin.write(writing.number, &one, 1) }
    #else
      var one: UInt64 = 1
      _ = retrying { Glibc.write(reading.number, &one, 8) }
    #endif
  }

  /// Makes it unreadable until the next signal. Drain first, then look at what was handed over.
  package func drain() {
    withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { buffer in
      // An event counter is empty after one read; a pipe may take several.
      while retrying({ read(reading.number, buffer.baseAddress, buffer.count) }) == buffer.count {}
    }
  }
}
