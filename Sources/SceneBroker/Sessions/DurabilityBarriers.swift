import SceneModel

/// The sequence numbers of the records that the disk may not have.
///
/// A message about a session or a topic waits until the disk has its newest record.
///
/// - `synced <= recordCount`, and `byteCounts` has the records after `synced`.
/// - `synced < newest <= recordCount` for each newest record of a session or a topic.
struct DurabilityBarriers {
  /// The number of the newest record.
  private(set) var recordCount: UInt64 = 0
  /// The bytes of all records that the disk may not have.
  private(set) var byteCount = 0
  /// The bytes of each of these records, oldest first.
  private var byteCounts: [Int] = []
  /// The number of the newest record that the disk has.
  private(set) var synced: UInt64 = 0
  /// The newest record of each session, while the disk may not have it.
  private var newestOfSessions: [SessionIdentifier: UInt64] = [:]
  /// The newest record of each topic, while the disk may not have it.
  private var newestOfTopics: [String: UInt64] = [:]

  /// Adds the newest record, with its length in the journal.
  mutating func add(_ record: Record, byteCount: Int) {
    recordCount += 1
    byteCounts.append(byteCount)
    self.byteCount += byteCount
    switch record.subject {
    case .session(let session): newestOfSessions[session] = recordCount
    case .topic(let topic): newestOfTopics[topic] = recordCount
    case .delegate: break
    }
  }

  /// The number of the session's newest record, while the disk may not have it.
  func newest(of session: SessionIdentifier) -> UInt64? { newestOfSessions[session] }

  func newest(ofTopic topic: String) -> UInt64? { newestOfTopics[topic] }

  /// The disk has all records up to this number.
  mutating func removeSynced(upTo number: UInt64) {
    guard number > synced else { return }
    let count = min(Int(number - synced), byteCounts.count)
    for size in byteCounts[..<count] { byteCount -= size }
    byteCounts.removeFirst(count)
    synced = number
    if number >= recordCount {
      newestOfSessions.removeAll(keepingCapacity: true)
      newestOfTopics.removeAll(keepingCapacity: true)
    } else {
      newestOfSessions = newestOfSessions.filter { $0.value > number }
      newestOfTopics = newestOfTopics.filter { $0.value > number }
    }
  }

  /// Every invariant of this part that does not hold, as a sentence.
  var flaws: [String] {
    guard synced <= recordCount else {
      return ["\(synced) records are synced, and only \(recordCount) exist"]
    }
    var flaws: [String] = []
    if UInt64(byteCounts.count) != recordCount - synced {
      flaws.append(
        "\(recordCount - synced) records wait for the disk, \(byteCounts.count) have a size")
    }
    if byteCounts.reduce(0, +) != byteCount {
      flaws.append("the byte count of the records that wait for the disk is wrong")
    }
    let newest = Array(newestOfSessions.values) + Array(newestOfTopics.values)
    if newest.contains(where: { $0 <= synced || $0 > recordCount }) {
      flaws.append("a barrier is not one of the records \(synced + 1) to \(recordCount)")
    }
    return flaws
  }
}
