package import ScenePlatform

/// The pipe on which `scened` reports that it is ready.
package final class BrokerReadiness {
  private let readEnd: FileDescriptor
  private var writeEnd: FileDescriptor?

  package init() throws(SystemError) {
    var pipe = try FileDescriptor.pipe()
    readEnd = pipe.takeFirst()
    writeEnd = pipe.takeSecond()
  }

  /// The options of `scened` for this pipe.
  package static let options = ["--ready-fd", "3"]

  /// The descriptors that `scened` inherits.
  package var descriptors: [Int32: Int32] {
    guard let number = writeEnd?.number else { return [:] }
    return [3: number]
  }

  /// Waits for the report of a broker that has been started.
  ///
  /// - Returns: False if the broker ended first, or at the deadline.
  package func wait(until deadline: Int64) throws(SystemError) -> Bool {
    writeEnd = nil
    let timeout = max(0, deadline - SystemClock.monotonic())
    guard try readEnd.waitReadable(nanoseconds: timeout) else { return false }
    return try !readEnd.readToEnd(limit: 64).isEmpty
  }
}
