/// What a block would have to say, and where it stands.
package struct BlockRewrite: Equatable, Sendable {
  /// The number of the line that opens it.
  package var start: Int
  package var end: Int
  package var isOneLine: Bool
  package var rows: [Row]

  package struct Row: Equatable, Sendable {
    package var text: String
    /// The number of the line that it takes the place of, if it does.
    package var origin: Int?

    package init(_ text: String, insteadOf origin: Int? = nil) {
      self.text = text
      self.origin = origin
    }
  }
}

extension ScriptVerb {
  static let trace = ScriptVerb("trace NAME { … }", .looks, takesBlock: true) {
    (call) throws(ScriptFlaw) in
    if call.words.count > 1, call.texts[1].hasPrefix("{") {
      throw call.flaw(
        "a block is not written on one line: behind the { each callback has a line of its own, and so "
          + "has the }", at: 1)
    }
    guard call.words.count == 1, let name = call.texts.first else { throw call.misuse() }
    guard let block = call.block else {
      throw call.flaw("expected a { at the end of the line, or {} if nothing is to happen")
    }
    let patterns = try patterns(in: block, call)
    return { (stage) throws(StepFailure) in
      let comparison = TraceComparison(patterns, try stage.player(name).window)
      if comparison.agrees { return }
      if stage.settings.accepts, !call.line.mustFail {
        stage.rewrites.append(
          BlockRewrite(
            start: call.place.line, end: block.end, isOneLine: block.isOneLine,
            rows: comparison.accepted))
        return
      }
      throw Stage.difference(of: name, comparison)
    }
  }

  private static func patterns(
    in block: Script.Block, _ call: Call
  ) throws(ScriptFlaw) -> [TracePattern] {
    var patterns: [TracePattern] = []
    for (number, text) in block.lines {
      patterns.append(try TracePattern(text, at: ScriptPlace(call.place.file, line: number)))
    }
    return patterns
  }
}

extension Stage {
  /// A client was called like this since the last line that acted, as a `trace` block has it.
  package func expectTrace(_ name: String, _ lines: [String]) throws(StepFailure) {
    var patterns: [TracePattern] = []
    for (index, line) in lines.enumerated() {
      do throws(ScriptFlaw) {
        patterns.append(try TracePattern(line, at: ScriptPlace("trace", line: index + 1)))
      } catch {
        throw .broken(error.description)
      }
    }
    let comparison = TraceComparison(patterns, try player(name).window)
    if !comparison.agrees { throw Self.difference(of: name, comparison) }
  }

  fileprivate static func difference(
    of name: String, _ comparison: TraceComparison
  ) -> StepFailure {
    .no(
      "\(name) was not called like this (- was expected, + happened):\n"
        + comparison.difference.joined(separator: "\n"))
  }
}

extension BlockRewrite {
  /// The text with these blocks rewritten, each as far in as the line that opens it, and a bit. A
  /// comment stays before the row that it was before, or else where the next one is.
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

  /// The lines of the block that are none of its rows, and their numbers.
  private func remarks(in lines: [String]) -> [(number: Int, text: String)] {
    guard !isOneLine else { return [] }
    return (start..<(end - 1)).compactMap { index in
      let text = lines[index].trimmed
      return text.isEmpty || text.hasPrefix("#") ? (index + 1, lines[index]) : nil
    }
  }
}
