import SceneBroker
import SceneJSON
import SceneJournal
import SceneModel
import ScenePlatform
import SceneServer

/// Makes a journal of any length without clients.
enum MadeJournal {
  /// Writes a state directory with unattached sessions of one save each, compacted as by the
  /// broker.
  static func write(
    to directory: String, sessionCount: Int
  ) throws -> KeyValuePairs<String, Int> {
    _ = try PrivateDirectory.make(directory)
    var options = JournalOptions()
    // This journal need not survive a power loss.
    options.durability = .os
    var content = JournalledState()
    var writer = try JournalWriter(
      DirectoryStorage(directory), options: options, content: &content)
    var identifiers = IdentifierGenerator(seed: 1)
    var records = JournalRecords()
    var bodies = JSONWriter()
    for number in 1...sessionCount {
      append(identifiers.next(), order: Int64(number), to: &records, by: &bodies)
      guard records.byteCount > 1 << 20 || number == sessionCount else { continue }
      try writer.commit(records)
      try writer.prepareAhead(retrying: false)
      records.removeAll()
      while writer.isCompacting { _ = try writer.compactStep() }
    }
    try writer.flush()
    return ["sessions": sessionCount, "compactions": writer.counts.compactions]
  }

  private static func append(
    _ session: SessionIdentifier, order: Int64, to records: inout JournalRecords,
    by writer: inout JSONWriter
  ) {
    var configuration = SceneConfiguration()
    configuration.name = "Default Configuration"
    let attributes = SessionAttributes(
      identifier: session, configuration: configuration, title: "Session \(order)",
      maker: "bench", created: wallTime)
    var hold = Hold(session: session)
    hold.number = 1
    hold.end = DisconnectOutcome(reason: .clientRequest)
    hold.order = order
    hold.used = wallTime
    records.append(.session(attributes), by: &writer)
    records.append(
      .activity(
        Generation(
          session: session, number: 1, activity: FrameFiles.activity(), saved: wallTime)),
      by: &writer)
    records.append(.held(hold), by: &writer)
  }

  private static let wallTime: Int64 = 1_790_000_000_000
}
