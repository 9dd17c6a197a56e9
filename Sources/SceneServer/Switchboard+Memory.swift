import SceneBroker
import SceneModel

/// Returning memory to the system.
extension Switchboard {
  /// Memory is returned when so many bytes less are kept than since it was returned last.
  static let returnedAtOnce = 8 << 20
  /// The broker has to be idle when it returns memory, which may take some milliseconds. It looks so
  /// much later, and so much later again.
  static let returnPause = Interval.seconds(2)

  /// What a connection or a session takes beside the bytes that are counted, in about.
  private static let baseByteCount = 1 << 10

  private var keptByteCount: Int {
    broker.totalByteCount
      + (connections.count + broker.stored.sessions.count) * Self.baseByteCount
  }

  /// Looks when a round ends whether much was released.
  func noteMemory() {
    let count = keptByteCount
    mostKept = max(mostKept, count)
    guard !willReturnMemory, mostKept - count >= Self.returnedAtOnce else { return }
    willReturnMemory = true
    set(.returnMemory, after: Self.returnPause)
  }

  func returnMemoryIfIdle() {
    guard !hasHeard, turns.isEmpty else { return set(.returnMemory, after: Self.returnPause) }
    willReturnMemory = false
    mostKept = keptByteCount
    broker.returnUnusedMemory()
    timers.returnUnusedCapacity()
    applicationTimers.returnUnusedCapacity()
    returnMemory()
  }
}
