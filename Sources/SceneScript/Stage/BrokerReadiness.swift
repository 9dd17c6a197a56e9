package import ScenePlatform

/// How a `scened` says to whoever has started it that it is ready.
package final class BrokerReadiness {
  private let said: FileDescriptor
  private var saying: FileDescriptor?

  package init() throws(SystemError) {
    var ready = try FileDescriptor.pipe()
    said = ready.takeFirst()
    saying = ready.takeSecond()
  }

  /// The broker's options for it.
  package static let options = ["--ready-fd", "3"]

  /// What the broker is started with.
  package var descriptors: [Int32: Int32] {
    guard let number = saying?.number else { return [:] }
    return [3: number]
  }

  /// It has been started; whether it says that it is ready, before its end and the deadline.
  package func wait(until deadline: Int64) throws(SystemError) -> Bool {
    saying = nil
    let left = max(0, deadline - SystemClock.monotonic())
    guard try said.waitReadable(nanoseconds: left) else { return false }
    return try !said.readToEnd(limit: 64).isEmpty
  }
}
