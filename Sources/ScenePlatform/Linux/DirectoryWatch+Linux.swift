import CScenePlatform

/// Watches a directory for changes of its files. The descriptor is readable from a change until
/// ``drain()``. The watch does not report which file changed.
///
/// Where the system reports no changes, the descriptor becomes readable every 500 ms: on Darwin,
/// because a kqueue reports no writes, and on Linux when the user's inotify instances are in use.
package final class DirectoryWatch: Sendable {
  private let descriptor: FileDescriptor

  private static let milliseconds = 500

  /// The descriptor to add to a poller, as readable.
  package var number: Int32 { descriptor.number }

  package init(_ path: String) throws(SystemError) {
    // IN_CLOSE_WRITE is not enough: some writers keep the file open.
    let events = UInt32(IN_MODIFY | IN_MOVED_TO | IN_CREATE)
    let reporting = try? Self.reporting(path, events)
    descriptor = if let reporting { reporting } else { try Self.ticking() }
  }

  /// The descriptor of a timer.
  package init() throws(SystemError) { descriptor = try Self.ticking() }

  /// Reports removed and renamed files, and the removal of the directory. Throws where the system
  /// cannot report them.
  package init(removalsIn path: String) throws(SystemError) {
    let events = UInt32(IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF)
    descriptor = try Self.reporting(path, events)
  }

  private static func reporting(
    _ path: String, _ events: UInt32
  ) throws(SystemError) -> FileDescriptor {
    let flags = Int32(IN_CLOEXEC | IN_NONBLOCK)
    let queue = FileDescriptor(adopting: try check("inotify_init1") { inotify_init1(flags) })
    try check("inotify_add_watch", path) { inotify_add_watch(queue.number, path, events) }
    return queue
  }

  private static func ticking() throws(SystemError) -> FileDescriptor {
    let number = try check("timerfd_create") { platform_interval_timer(Int32(milliseconds)) }
    return FileDescriptor(adopting: number)
  }

  package func drain() {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while case .bytes = descriptor.readAvailable(into: buffer) {}
    }
  }
}
