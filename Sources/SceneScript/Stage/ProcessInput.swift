package import ScenePlatform

/// Our end of what a process reads.
package final class ProcessInput: Sendable {
  private let end: Monitor<End?>

  private final class End: Sendable {
    let descriptor: FileDescriptor
    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
  }

  package init(_ descriptor: consuming FileDescriptor) { end = Monitor(End(descriptor)) }

  /// Writes it all; false when the deadline came first. Nothing is written once it is closed.
  package func write(
    _ bytes: some Sequence<UInt8>, until deadline: Int64
  ) throws(SystemError) -> Bool {
    guard let end = end.withLock({ $0 }) else { return true }
    var rest = ContiguousArray(bytes)[...]
    while !rest.isEmpty {
      let left = max(0, deadline - SystemClock.monotonic())
      guard try end.descriptor.waitWritable(nanoseconds: left) else { return false }
      // A pipe that can be written to takes so many bytes at once.
      try end.descriptor.write(ContiguousArray(rest.prefix(512)).span.bytes)
      rest = rest.dropFirst(512)
    }
    return true
  }

  package func close() { end.withLock { $0 = nil } }
}
