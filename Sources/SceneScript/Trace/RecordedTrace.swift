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
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in zip(1..., lines) where !line.allSatisfy(isBlank) {
      entries.append(try entry(bytes.span.extracting(line.indices), line: number, document))
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
