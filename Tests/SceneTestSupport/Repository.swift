import ScenePlatform

/// The checkout that the tests were built from.
package enum Repository {
  package static func file(_ path: String) throws -> String {
    let parts = "\(#filePath)".split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/") + "/" + path
  }

  package static func text(_ path: String) throws -> String {
    String(decoding: try File.read(file(path), limit: 1 << 22), as: UTF8.self)
  }
}

/// A file with the expected output of a program, in `Tests/Golden`.
package enum GoldenFile {
  /// Compares a text with the file. With `$UPDATE_GOLDEN`, writes the text to the file first.
  package static func expect(_ text: String, equals name: String) throws {
    let path = try path(name)
    if Environment.all["UPDATE_GOLDEN"] != nil {
      try Directory.makeAll(Directory.parent(of: path) ?? "/", mode: 0o755)
      try File.write(text.utf8, to: path, mode: 0o644)
    }
    let expected = try Self.text(name)
    guard text != expected else { return }
    throw Unmet(
      """
      the output differs from Tests/Golden/\(name); after a deliberate change, run: \
      UPDATE_GOLDEN=1 swift test --filter Golden
      \(difference(from: expected, to: text))
      """)
  }

  /// Compares the answers to the lines of the file that begin with `$`. In such a line, `⏎` stands
  /// for a line break and `␀` for a NUL character.
  package static func expectAnswers(
    _ name: String, _ answer: (String) throws -> String
  ) throws {
    let lines = try text(name).split(separator: "\n").filter { $0 == "$" || $0.hasPrefix("$ ") }
    guard !lines.isEmpty else { throw Unmet("Tests/Golden/\(name) has no line that begins with $") }
    let answers = try lines.map { line in
      let input = line.dropFirst(2).replacing("⏎", with: "\n").replacing("␀", with: "\0")
      return "\(line)\n\(try answer(String(input)))\n"
    }
    try expect(answers.joined(separator: "\n"), equals: name)
  }

  package static func text(_ name: String) throws -> String {
    try Repository.text("Tests/Golden/\(name)")
  }

  private static func path(_ name: String) throws -> String {
    try Repository.file("Tests/Golden/\(name)")
  }

  /// The removed and the inserted lines, in the order of their numbers.
  private static func difference(from old: String, to new: String) -> String {
    let changes = new.split(separator: "\n", omittingEmptySubsequences: false).difference(
      from: old.split(separator: "\n", omittingEmptySubsequences: false))
    return changes.map { change in
      switch change {
      case .remove(let offset, let line, _): (offset, "-\(offset + 1): \(line)")
      case .insert(let offset, let line, _): (offset, "+\(offset + 1): \(line)")
      }
    }.sorted { $0.0 < $1.0 }.map(\.1).joined(separator: "\n")
  }
}
