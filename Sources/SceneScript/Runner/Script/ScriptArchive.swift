/// A text with files, in the txtar format of the Go tools. A line `-- NAME --` begins a file.
package struct ScriptArchive: Equatable, Sendable {
  /// The lines before the first file.
  package var lines: [String]
  package var files: [File] = []

  package struct File: Equatable, Sendable {
    package var name: String
    /// The number of the line that begins the file.
    package var line: Int
    package var text: String
  }

  package init(_ text: String) {
    // Splits bytes, because Swift joins a carriage return and a line feed to one character.
    var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    // The last line feed begins no further line.
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
    // A line can end with CR LF. The lines of a file keep their CR.
    let line = line.hasSuffix("\r") ? String(line.dropLast()) : line
    guard line.hasPrefix("-- "), line.hasSuffix(" --"), line.utf8.count > 6 else { return nil }
    return String(line.dropFirst(3).dropLast(3))
  }

  /// Checks the names of the files: each is a path below the directory, and no name occurs twice.
  func errors(in file: String) -> [ScriptError] {
    var known: Set<String> = []
    return files.compactMap { entry in
      let location = ScriptLocation(file: file, line: entry.line, column: 4)
      let parts = entry.name.split(separator: "/", omittingEmptySubsequences: false)
      if parts.contains(where: { ["", ".", ".."].contains($0) || $0.contains("\0") }) {
        return ScriptError(
          location,
          "invalid file name \"\(entry.name)\": expected a path below the script's directory")
      }
      if !known.insert(entry.name).inserted {
        return ScriptError(location, "duplicate file name \"\(entry.name)\"")
      }
      return nil
    }
  }
}
