#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Watches a directory for changes of its files. The descriptor is readable from a change until
/// ``drain()``. The watch does not report which file changed.
///
/// A kqueue on Darwin reports new and removed names, but no writes. On Darwin the descriptor
/// becomes readable every 500 ms.
package final class DirectoryWatch: Sendable {
  private let descriptor: FileDescriptor

  /// The descriptor to add to a poller, as readable.
  package var number: Int32 { descriptor.number }

  #if canImport(Darwin)
    package init(_ path: String) throws(SystemError) {
      let queue = FileDescriptor(adopting: try check("kqueue") { kqueue() })
      try queue.setCloseOnExec()
      let number = queue.number
      var timer = kevent64_s()
      timer.filter = Int16(EVFILT_TIMER)
      timer.flags = UInt16(EV_ADD)
      timer.data = 500
      try check("kevent") { kevent64(number, &timer, 1, nil, 0, 0, nil) }
      descriptor = queue
    }

    package func drain() {
      var event = kevent64_s()
      var now = timespec()
      _ = kevent64(descriptor.number, nil, 0, &event, 1, 0, &now)
    }
  #else
    package init(_ path: String) throws(SystemError) {
      let flags = Int32(IN_CLOEXEC | IN_NONBLOCK)
      let queue = FileDescriptor(adopting: try check("inotify_init1") { inotify_init1(flags) })
      let number = queue.number
      // IN_CLOSE_WRITE is not enough: some writers keep the file open.
      let events = UInt32(IN_MODIFY | IN_MOVED_TO | IN_CREATE)
      try check("inotify_add_watch", path) { inotify_add_watch(number, path, events) }
      descriptor = queue
    }

    package func drain() {
      withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
        while case .bytes = descriptor.readAvailable(into: buffer) {}
      }
    }
  #endif
}
