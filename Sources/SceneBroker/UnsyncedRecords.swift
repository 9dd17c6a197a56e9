/// The records that may not be on disk yet, and how many bytes they take there.
struct UnsyncedRecords {
  private(set) var byteCount = 0
  /// Of each, the oldest first.
  private var byteCounts: [Int] = []
  /// The number of the last one that is on disk.
  private var synced: UInt64 = 0

  mutating func add(_ byteCount: Int) {
    byteCounts.append(byteCount)
    self.byteCount += byteCount
  }

  /// All records up to this number are on disk.
  mutating func forget(upTo number: UInt64) {
    guard number > synced else { return }
    let count = min(Int(number - synced), byteCounts.count)
    for size in byteCounts[..<count] { byteCount -= size }
    byteCounts.removeFirst(count)
    synced = number
  }
}
