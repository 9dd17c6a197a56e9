import ScenePlatform

/// The new content of a `trace` block.
package struct BlockRewrite: Equatable, Sendable {
  /// The number of the first line.
  package var start: Int
  package var end: Int
  package var isOneLine: Bool
  package var rows: [Row]

  package struct Row: Equatable, Sendable {
    package var text: String
    /// The number of the line that the row replaces; nil for a new row.
    package var origin: Int?

    package init(_ text: String, insteadOf origin: Int? = nil) {
      self.text = text
      self.origin = origin
    }
  }
}

extension BlockRewrite {
  /// Replaces the blocks in a text.
  ///
  /// A row is indented by four spaces more than its block. A comment stays before the row that
  /// followed it.
  package static func apply(_ rewrites: [BlockRewrite], to text: String) -> String {
    var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    for rewrite in rewrites.sorted(by: { $0.start > $1.start }) {
      let opening = lines[rewrite.start - 1]
      let margin = String(opening.prefix { $0 == " " || $0 == "\t" })
      let end = opening.hasSuffix("\r") ? "\r" : ""
      var remarks = rewrite.remarks(in: lines)[...]
      var block: [String] = []
      for row in rewrite.rows {
        let own = remarks.prefix { $0.number < row.origin ?? 0 }
        remarks = remarks.dropFirst(own.count)
        block += own.map { $0.text } + ["\(margin)    \(row.text)\(end)"]
      }
      block += remarks.map { $0.text }
      if rewrite.isOneLine {
        guard let brace = opening.lastIndex(of: "{"), !block.isEmpty else { continue }
        block = ["\(opening[...brace])\(end)"] + block + ["\(margin)}\(end)"]
        lines.replaceSubrange((rewrite.start - 1)...(rewrite.end - 1), with: block)
      } else {
        lines.replaceSubrange(rewrite.start..<(rewrite.end - 1), with: block)
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The comments and blank lines of the block, with their line numbers.
  private func remarks(in lines: [String]) -> [(number: Int, text: String)] {
    guard !isOneLine else { return [] }
    return (start..<(end - 1)).compactMap { index in
      let text = lines[index].trimmed
      return text.isEmpty || text.hasPrefix("#") ? (index + 1, lines[index]) : nil
    }
  }
}
