package import ScenePlatform

/// What ties a `scened` to the process that starts it: it says when it is ready, and it ends when
/// this does.
package final class BrokerTether {
  private let readiness: FileDescriptor
  private let leash: FileDescriptor
  private var saysReady: FileDescriptor?
  private var isHeld: FileDescriptor?

  package init() throws(SystemError) {
    var ready = try FileDescriptor.pipe()
    var held = try FileDescriptor.pipe()
    readiness = ready.takeFirst()
    saysReady = ready.takeSecond()
    isHeld = held.takeFirst()
    leash = held.takeSecond()
  }

  /// The broker's options for it.
  package static let options = ["--ready-fd", "3", "--leash-fd", "4"]

  /// What the broker is started with.
  package var descriptors: [Int32: Int32] {
    guard let ready = saysReady?.number, let held = isHeld?.number else { return [:] }
    return [3: ready, 4: held]
  }

  /// It has been started; whether it says that it is ready, before its end and the deadline.
  package func awaitReady(until deadline: Int64) throws(SystemError) -> Bool {
    saysReady = nil
    isHeld = nil
    let left = max(0, deadline - SystemClock.monotonic())
    guard try readiness.waitReadable(nanoseconds: left) else { return false }
    return try !readiness.readToEnd(limit: 64).isEmpty
  }
}
