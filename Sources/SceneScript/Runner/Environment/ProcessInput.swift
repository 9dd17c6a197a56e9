package import ScenePlatform

/// The write end of a process's standard input.
package final class ProcessInput: Sendable {
  private let end: ConditionMutex<SharedDescriptor?>

  package init(_ descriptor: consuming FileDescriptor) {
    end = ConditionMutex(SharedDescriptor(descriptor))
  }

  /// Writes all bytes; false at the deadline. After `close()` the bytes are discarded.
  package func write(
    _ bytes: some Sequence<UInt8>, until deadline: Int64
  ) throws(SystemError) -> Bool {
    guard let end = end.withLock({ $0 }) else { return true }
    var rest = ContiguousArray(bytes)[...]
    while !rest.isEmpty {
      let left = max(0, deadline - SystemClock.monotonic())
      guard try end.descriptor.waitWritable(nanoseconds: left) else { return false }
      // A writable pipe takes at least 512 bytes without blocking (PIPE_BUF).
      try end.descriptor.write(ContiguousArray(rest.prefix(512)).span.bytes)
      rest = rest.dropFirst(512)
    }
    return true
  }

  package func close() { end.withLock { $0 = nil } }
}

/// A descriptor that closes with its last user.
final class SharedDescriptor: Sendable {
  let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}
