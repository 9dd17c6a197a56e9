import SceneModel

/// Decides when the process returns unused memory to the system.
struct MemoryMonitor {
  /// The largest size since memory was returned.
  private var largest = 0
  private(set) var isScheduled = false
  private let returnMemory: () -> Void

  /// Memory is returned when the size has fallen by so many bytes.
  static let threshold = 8 << 20
  /// Memory is returned so much later, and only by an idle broker, because it takes some
  /// milliseconds.
  static let delay = Interval.seconds(2)

  init(_ returnMemory: @escaping () -> Void) { self.returnMemory = returnMemory }

  /// Whether the loop must start the timer: the size has fallen enough.
  mutating func note(_ byteCount: Int) -> Bool {
    largest = max(largest, byteCount)
    guard !isScheduled, largest - byteCount >= Self.threshold else { return false }
    isScheduled = true
    return true
  }

  /// Returns unused memory of the process, which has this size now.
  mutating func returnUnused(_ byteCount: Int) {
    isScheduled = false
    largest = byteCount
    returnMemory()
  }
}
