extension Collection<ProcessIdentity> {
  /// Waits until all processes have ended, but not longer than `nanoseconds`. The kernel notifies
  /// only the parent of an exit, so this polls.
  package func awaitEnds(nanoseconds: Int64) throws(SystemError) {
    let deadline = SystemClock.monotonic() + nanoseconds
    var pipe = try FileDescriptor.pipe()
    let neverReadable = pipe.takeFirst()
    let other = pipe.takeSecond()
    while contains(where: \.isAlive), SystemClock.monotonic() < deadline {
      _ = try neverReadable.waitReadable(nanoseconds: 1_000_000)
    }
    other.close()
  }
}
