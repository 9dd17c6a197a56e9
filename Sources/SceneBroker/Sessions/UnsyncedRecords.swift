import SceneModel

/// The records of a broker's life by their numbers, and which of them may not be on disk yet.
struct UnsyncedRecords {
  /// How many there have been: the number of the newest.
  private(set) var count: UInt64 = 0
  /// What takes room on disk and may not be there.
  private(set) var byteCount = 0
  /// Of each, the oldest first.
  private var byteCounts: [Int] = []
  /// The number of the last one that is on disk.
  private var synced: UInt64 = 0
  /// The newest record of each session, while it may not be on disk.
  private var newestOfSessions: [SessionIdentifier: UInt64] = [:]
  /// The same of each topic.
  private var newestOfTopics: [String: UInt64] = [:]

  mutating func add(_ record: Record) {
    count += 1
    let size = record.byteCountAtMost
    byteCounts.append(size)
    byteCount += size
    switch record.subject {
    case .session(let session): newestOfSessions[session] = count
    case .topic(let topic): newestOfTopics[topic] = count
    case .delegate: break
    }
  }

  /// The number of a session's newest record, while it may not be on disk.
  func newest(of session: SessionIdentifier) -> UInt64? { newestOfSessions[session] }

  func newest(ofTopic topic: String) -> UInt64? { newestOfTopics[topic] }

  /// All records up to this number are on disk.
  mutating func forget(upTo number: UInt64) {
    guard number > synced else { return }
    let count = min(Int(number - synced), byteCounts.count)
    for size in byteCounts[..<count] { byteCount -= size }
    byteCounts.removeFirst(count)
    synced = number
    if number >= self.count {
      newestOfSessions.removeAll(keepingCapacity: true)
      newestOfTopics.removeAll(keepingCapacity: true)
    } else {
      newestOfSessions = newestOfSessions.filter { $0.value > number }
      newestOfTopics = newestOfTopics.filter { $0.value > number }
    }
  }
}
