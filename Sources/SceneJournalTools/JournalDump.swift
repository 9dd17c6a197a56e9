package import SceneCommandLine
import SceneJSON
import SceneJournal
import SceneModel

/// Prints each record of a journal as a JSON object.
package enum JournalDump {
  /// Passes a line for each record to `print`, in the order of a start. Returns a line about the
  /// bytes after the last batch, if there are any.
  package static func run(
    _ directory: String, print: @escaping (String) -> Void
  ) throws(ProgramError) -> String? {
    var printer = RecordPrinter(print: print)
    return try Journal.read(directory, visitor: &printer).tail.map { "\($0)" }
  }
}

private struct RecordPrinter: JournalVisitor {
  private let print: (String) -> Void
  private var file = ""
  private var sequence: UInt64 = 0
  private let document = JSONDocument()

  init(print: @escaping (String) -> Void) { self.print = print }

  mutating func visit(_ file: JournalFile) { self.file = file.name }
  mutating func visit(_ batch: JournalBatch) { sequence = batch.sequence }

  mutating func visit(
    kind: UInt8, body: Span<UInt8>, at offset: Int
  ) throws(MemberError) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("file", file)
    writer.member("offset", offset)
    writer.member("sequence", sequence)
    // A kind of a later version has only its number.
    if let known = RecordKind(rawValue: kind) {
      writer.member("kind", known.name)
    } else {
      writer.member("kind", Int(kind))
    }
    writer.name("body")
    do throws(JSONError) {
      try document.read(body)
    } catch {
      throw MemberError(problem: "a record is not JSON: \(error)")
    }
    writer.raw(document.root)
    writer.endObject()
    // JSON readers read an escape as the same text, and a terminal does not obey it.
    print(PlainText.escaped(String(decoding: writer.bytes, as: UTF8.self)))
  }
}
