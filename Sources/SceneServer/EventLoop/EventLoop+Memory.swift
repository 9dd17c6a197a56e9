import SceneBroker
import SceneModel

/// Unused memory goes back to the system.
extension EventLoop {
  /// About the memory of a connection or session, without the bytes that are counted.
  private static let baseByteCount = 1 << 10

  private var usedByteCount: Int {
    broker.totalByteCount
      + (connections.count + broker.sessionCount) * Self.baseByteCount
  }

  /// Starts a timer at the end of an iteration in which much memory became unused.
  func noteMemory() {
    if memory.note(usedByteCount) { timers.set(.returnMemory, after: MemoryMonitor.delay) }
  }

  func returnMemoryIfIdle() {
    guard !input.hasInput, !input.hasTurns else {
      return timers.set(.returnMemory, after: MemoryMonitor.delay)
    }
    let byteCount = usedByteCount
    broker.returnUnusedMemory()
    timers.returnUnusedCapacity()
    memory.returnUnused(byteCount)
  }
}
