/// A text with files behind it, in the txtar format of the Go tools: a line `-- NAME --` begins a
/// file, which goes on to the next such line.
package struct ScriptArchive: Equatable, Sendable {
  /// What stands before the first file.
  package var lines: [String]
  package var files: [File] = []

  package struct File: Equatable, Sendable {
    package var name: String
    /// The line that names it.
    package var line: Int
    package var text: String

    package init(name: String, line: Int, text: String) {
      self.name = name
      self.line = line
      self.text = text
    }
  }

  package init(_ text: String) {
    // By bytes: a carriage return makes one character with the line feed.
    var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    // What ends with a line feed has no line behind it.
    if lines.last == "" { lines.removeLast() }
    let first = lines.firstIndex { Self.fileName(in: $0) != nil } ?? lines.count
    self.lines = Array(lines[..<first])
    for (index, line) in lines.enumerated().dropFirst(first) {
      if let name = Self.fileName(in: line) {
        files.append(File(name: name, line: index + 1, text: ""))
      } else {
        files[files.count - 1].text += line + "\n"
      }
    }
  }

  private static func fileName(in line: String) -> String? {
    // Lines may end as in DOS; those of a file stay as they are.
    let line = line.hasSuffix("\r") ? String(line.dropLast()) : line
    guard line.hasPrefix("-- "), line.hasSuffix(" --"), line.utf8.count > 6 else { return nil }
    return String(line.dropFirst(3).dropLast(3))
  }

  /// What is wrong with the files' names, if anything: they are made below one directory, each
  /// once.
  func flaws(in file: String) -> [ScriptFlaw] {
    var known: Set<String> = []
    return files.compactMap { entry in
      let place = ScriptPlace(file, line: entry.line, column: 4)
      let parts = entry.name.split(separator: "/", omittingEmptySubsequences: false)
      if parts.contains(where: { ["", ".", ".."].contains($0) || $0.contains("\0") }) {
        return ScriptFlaw(
          place, "\"\(entry.name)\": expected the name of a file below the script's directory")
      }
      if !known.insert(entry.name).inserted {
        return ScriptFlaw(place, "there is a file \(entry.name) already")
      }
      return nil
    }
  }
}
