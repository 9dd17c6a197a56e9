import SceneJSON
package import SceneModel

/// The output of `scenectl trace --json`.
package enum RecordedTrace {
  /// Parses each line; skips empty lines. An error begins with the number of its line.
  package static func entries(
    in bytes: ContiguousArray<UInt8>
  ) throws(MemberError) -> [TraceEntry] {
    var entries: [TraceEntry] = []
    let document = JSONDocument()
    var number = 0
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      number += 1
      if !bytes[start..<end].allSatisfy(isBlank) {
        entries.append(try entry(bytes.span.extracting(start..<end), line: number, document))
      }
      start = end + 1
    }
    return entries
  }

  private static func entry(
    _ line: Span<UInt8>, line number: Int, _ document: JSONDocument
  ) throws(MemberError) -> TraceEntry {
    do throws(MemberError) {
      try document.parse(line)
      return try TraceEntry(reading: document.root)
    } catch {
      throw MemberError(problem: "line \(number): \(error)")
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }
}
