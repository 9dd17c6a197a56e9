import SceneJSON
import SceneJournal
package import SceneModel
import ScenePlatform

/// A temporary state directory whose journal contains these batches.
package final class StateDirectory {
  package let path: String

  package init(_ batches: [Record]...) throws {
    path = try Directory.makeTemporary(prefix: "scenectl-test")
    if !batches.isEmpty { try write(batches) }
  }

  /// Starts another log, as the next broker does, and writes this batch.
  package func open(_ batch: [Record]) throws { try write(batch.isEmpty ? [] : [batch]) }

  private func write(_ batches: [[Record]]) throws {
    var options = JournalOptions()
    options.logByteCount = 1 << 16
    options.zeroAheadByteCount = 1 << 14
    options.batchByteLimit = 1 << 14
    var content = NoContent()
    var writer = try JournalWriter(DirectoryStorage(path), options: options, content: &content)
    for batch in batches {
      var records = JournalRecords()
      for record in batch {
        var writer = JSONWriter()
        record.writeBody(to: &writer)
        records.append(kind: record.kind.rawValue, body: writer.bytes.span)
      }
      try writer.commit(records)
    }
  }

  deinit { try? Directory.removeTree(path) }

  package func names() throws -> [String] { try Directory.list(path) }

  package func flip(byte: Int64, of name: String) throws {
    let file = try File.open("\(path)/\(name)", [.read, .write])
    var bytes = try file.read(at: byte, count: 1)
    bytes[0] ^= 1
    try file.write(bytes.span.bytes, at: byte)
  }
}

/// Journal content that ignores its records.
private struct NoContent: JournalContent {
  let byteCount = 0

  mutating func visit(kind: UInt8, body: Span<UInt8>, at offset: Int) {}

  func appendNextRecords(upTo byteCount: Int, to records: inout JournalRecords) -> Bool { false }
}
