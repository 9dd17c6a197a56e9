package import ScenePlatform
import SceneTransport

/// Notifications.
extension ControlConnection {
  /// The next notification; nil at the deadline.
  package func nextNotification(
    until deadline: Int64? = nil
  ) throws(ControlError) -> ControlNotification? {
    try flush(until: deadline)
    while notifications.isEmpty {
      guard try readFrame(until: deadline) else { return nil }
    }
    return notifications.removeFirst()
  }

  /// Waits for the next notifications of the broker. Returns nil when no program reads `stream` any
  /// more.
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

  /// The notifications that have arrived, without a wait.
  package func takeNotifications() throws(ControlError) -> [ControlNotification] {
    try takeFrames()
    defer { notifications = [] }
    return notifications
  }

  /// The number of the descriptor, for a poller.
  package var descriptor: Int32 { socket.number }

  /// Sends the buffered requests, and handles the input that has arrived, without a wait for more.
  /// The program then takes replies and notifications.
  package func handleInput() throws(ControlError) {
    try flush()
    // A broker that has ended may have sent frames before. They precede the next broker.
    repeat { try takeFrames() } while try receive(until: 0)
  }

  /// Returns when the broker has closed the connection; false at the deadline.
  package func waitForEnd(until deadline: Int64? = nil) throws(ControlError) -> Bool {
    reconnect = nil
    do throws(ControlError) {
      try flush(until: deadline)
      while try readFrame(until: deadline) {}
      return false
    } catch .lost {
      return true
    }
  }

  /// Waits, and keeps the notifications that arrive.
  package func pause(nanoseconds: Int64) throws(ControlError) {
    let end = SystemClock.monotonic() + nanoseconds
    while try readFrame(until: end) {}
  }
}
