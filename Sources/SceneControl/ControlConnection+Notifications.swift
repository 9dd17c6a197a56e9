package import ScenePlatform

/// Being told.
extension ControlConnection {
  /// The next thing the broker tells; nil when the deadline came first.
  package func nextNotification(
    until deadline: Int64? = nil
  ) throws(ControlError) -> ControlNotification? {
    try flush(until: deadline)
    while notifications.isEmpty {
      guard try readFrame(until: deadline) else { return nil }
    }
    return notifications.removeFirst()
  }

  /// What the broker tells next, one thing or several, for as long as a program reads what is
  /// written to a stream: then it is nil.
  package func nextNotifications(
    whileRead stream: StandardStream
  ) throws(ControlError) -> [ControlNotification]? {
    try flush()
    while true {
      let told = try takeNotifications()
      if !told.isEmpty { return told }
      guard try receive(whileRead: stream) else { return nil }
    }
  }

  /// What the broker has told so far, without waiting.
  package func takeNotifications() throws(ControlError) -> [ControlNotification] {
    try takeFrames()
    defer { notifications = [] }
    return notifications
  }

  /// Returns when the broker has closed the connection; false when the deadline came first.
  package func waitForEnd(until deadline: Int64? = nil) throws(ControlError) -> Bool {
    do throws(ControlError) {
      try flush(until: deadline)
      while try readFrame(until: deadline) {}
      return false
    } catch .lost {
      return true
    }
  }

  /// Waits for a while, and keeps what the broker tells meanwhile.
  package func pause(nanoseconds: Int64) throws(ControlError) {
    let end = SystemClock.monotonic() + nanoseconds
    while try readFrame(until: end) {}
  }
}
