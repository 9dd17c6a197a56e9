package import SceneCommandLine
package import SceneJSON
import SceneJournal
import SceneModel
package import ScenePlatform

/// A journal of which each record was read and applied to the state before it.
package struct JournalVerification {
  private let directory: String
  private let content: VerifiedContent
  private let report: JournalReport

  /// Reads the journal in a state directory.
  package init(of directory: String, showing progress: ProgressLine?) throws(ProgramError) {
    var content = VerifiedContent()
    report = try Journal.read(
      directory, visitor: &content, onRead: progress?.showing("verifying journal"))
    self.content = content
    self.directory = directory
  }
}

/// The content of a journal, and the size of each of its files.
private struct VerifiedContent: JournalVisitor {
  /// A file, and what a start reads of it.
  struct Part {
    let file: JournalFile
    var batchCount = 0
    var recordCount = 0
    /// The offset after the last batch.
    var end = 0
  }

  private(set) var parts: [Part] = []
  private var content = OfflineState()

  var state: StoredState { content.state }

  mutating func visit(_ file: JournalFile) { parts.append(Part(file: file)) }

  mutating func visit(_ batch: JournalBatch) {
    let index = parts.count - 1
    parts[index].batchCount += 1
    parts[index].recordCount += batch.recordCount
    parts[index].end = batch.offset + batch.byteCount
  }

  mutating func visit(
    kind: UInt8, body: Span<UInt8>, at offset: Int
  ) throws(MemberError) {
    try content.visit(kind: kind, body: body, at: offset)
  }

  var eventCount: Int { content.eventCount }

  var activityCount: Int {
    state.sessions.values.reduce(0) { $0 + ($1.activity == nil ? 0 : 1) }
  }
}

// MARK: - Text

extension JournalVerification {
  /// A line for each file, and lines about all of them.
  package var lines: [String] {
    let state = content.state
    let counts = [
      counted(report.files.count, "file", "files"),
      counted(report.batchCount, "batch", "batches"),
      counted(report.recordCount, "record", "records"),
      counted(state.sessions.count, "session", "sessions"),
    ]
    var lines = content.parts.map { "  " + $0.line }
    let verdict = report.tail == nil ? "no damage" : "no damage in the records that a start reads"
    lines.append("\(directory): \(counts.joined(separator: ", ")); \(verdict)")
    let having = counted(content.activityCount, "session has", "sessions have")
    let size = byteText(state.byteCount)
    lines.append("  \(having) an activity; \(size) count against the limit of stored bytes")
    if !state.topics.isEmpty {
      let events = counted(content.eventCount, "event", "events")
      lines.append("  \(events) of \(counted(state.topics.count, "topic", "topics"))")
    }
    if let confirmed = report.confirmedBatch {
      lines.append("  " + confirmation(confirmed, newest: report.newestBatch))
    }
    if let tail = report.tail { lines.append("  \(tail); the next start drops these bytes") }
    return lines
  }

  private func confirmation(_ confirmed: UInt64, newest: UInt64) -> String {
    if confirmed == newest { return "confirmed through batch \(newest), the newest" }
    return "confirmed through batch \(confirmed); batch \(newest), the newest, is not yet confirmed"
  }
}

extension VerifiedContent.Part {
  /// For example "log-2, 16 MiB, 3 batches, 12 records, durability disk, sealed at 8192".
  fileprivate var line: String {
    let counts = [
      file.name, byteText(file.byteCount), counted(batchCount, "batch", "batches"),
      counted(recordCount, "record", "records"),
    ]
    let rest: [String] =
      switch file.kind {
      case .checkpoint(let lastLog): ["contains all logs through log-\(lastLog)"]
      case .log(let durability, let seal?):
        ["durability \(durability.rawValue)", "sealed at \(seal)"]
      case .log(let durability, nil): ["durability \(durability.rawValue)", "the current log"]
      }
    return (counts + rest).joined(separator: ", ")
  }
}

// MARK: - JSON

extension JournalVerification {
  package var json: RawJSON {
    let state = content.state
    return RawJSON { writer in
      writer.member("directory", directory)
      writer.member("batches", report.batchCount)
      writer.member("records", report.recordCount)
      writer.member("sessions", state.sessions.count)
      writer.member("activities", content.activityCount)
      writer.member("storedBytes", state.byteCount)
      writer.member("topics", state.topics.count)
      writer.member("events", content.eventCount)
      writer.member("newestBatch", report.newestBatch)
      writer.member("attestedBatch", orNull: report.confirmedBatch)
      writer.member("tailBytes", report.tail?.byteCount ?? 0)
      writer.array("files", content.parts) { $1.write(to: &$0) }
    }
  }
}

extension VerifiedContent.Part {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("file", file.name)
      writer.member("bytes", file.byteCount)
      writer.member("usedBytes", end)
      writer.member("batches", batchCount)
      writer.member("records", recordCount)
      switch file.kind {
      case .checkpoint(let lastLog):
        writer.member("lastLog", lastLog)
      case .log(let durability, let sealedEnd):
        writer.member("durability", durability.rawValue)
        writer.member("sealedAt", orNull: sealedEnd)
      }
    }
  }
}
