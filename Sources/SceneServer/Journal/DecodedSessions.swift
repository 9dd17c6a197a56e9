import SceneJSON
import SceneJournal
import SceneModel

/// Records that one thread decoded, and that another thread applies to the state.
package struct DecodedSessions: Sendable {
  private struct Element: Sendable {
    let record: DecodedRecord
    /// The number of records before it.
    let index: Int
  }

  /// Removed elements are nil, so that the state does not share its sessions.
  private var elements: [Element?] = []
  private var start = 0
  /// The first record that was not decoded.
  private(set) var invalid: InvalidRecord<MemberError>?

  init(_ records: JournalRecords) {
    let document = JSONDocument(hasUniqueNames: true)
    var last: StoredSession?
    var index = 0
    do throws(MemberError) {
      try records.forEach { (kind, body) throws(MemberError) in
        let record = try Record(trusting: kind, body: body, in: document)
        if case .session(let attributes) = record {
          let session = StoredSession(attributes: attributes)
          elements.append(Element(record: .session(session), index: index))
          last = session
        } else if last?.absorb(record) != true {
          elements.append(Element(record: .record(record), index: index))
          last = nil
        }
        index += 1
      }
    } catch {
      invalid = InvalidRecord(index: index, reason: error)
    }
  }

  mutating func removeFirst() -> (record: DecodedRecord, index: Int)? {
    guard start < elements.count, let element = elements[start].take() else { return nil }
    start += 1
    return (element.record, element.index)
  }
}
