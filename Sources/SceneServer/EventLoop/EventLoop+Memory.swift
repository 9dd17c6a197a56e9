import SceneBroker
import SceneModel

/// Unused memory goes back to the system.
extension EventLoop {
  /// About the memory of a connection or session, without the bytes that are counted.
  private static let baseByteCount = 1 << 10

  private func usedByteCount(_ figures: BrokerFigures) -> Int {
    figures.byteCount + (connections.count + figures.sessionCount) * Self.baseByteCount
  }

  /// Starts a timer at the end of an iteration in which much memory became unused.
  func noteMemory(_ figures: BrokerFigures) {
    if memory.note(usedByteCount(figures)) { timers.set(.returnMemory, after: MemoryMonitor.delay) }
  }

  func returnMemoryIfIdle() {
    guard !input.hasInput, !input.hasTurns else {
      return timers.set(.returnMemory, after: MemoryMonitor.delay)
    }
    let byteCount = usedByteCount(broker.figures())
    broker.returnUnusedMemory()
    timers.returnUnusedCapacity()
    memory.returnUnused(byteCount)
  }
}
