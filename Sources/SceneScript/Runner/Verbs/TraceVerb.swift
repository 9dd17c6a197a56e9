extension ScriptVerb {
  static let trace = ScriptVerb("trace NAME { … }", .reads, takesBlock: true) {
    (call) throws(ScriptError) in
    if call.words.count > 1, call.texts[1].hasPrefix("{") {
      throw call.error(
        "a block must not be on one line: put each callback and the closing } on its own line",
        at: 1)
    }
    guard call.words.count == 1, let name = call.texts.first else { throw call.usageError() }
    guard let block = call.block else {
      throw call.error("expected a { at the end of the line, or {} to expect no callback")
    }
    let patterns = try patterns(in: block, call)
    return { (environment) throws(StepFailure) in
      let comparison = TraceComparison(patterns, try environment.client(name).recentCallbacks)
      if comparison.agrees { return }
      if environment.settings.acceptsTraces, !call.line.mustFail {
        environment.rewrites.append(
          BlockRewrite(
            start: call.location.line, end: block.end, isOneLine: block.isOneLine,
            rows: comparison.accepted))
        return
      }
      throw ScriptEnvironment.difference(of: name, comparison)
    }
  }

  private static func patterns(
    in block: Script.Block, _ call: Call
  ) throws(ScriptError) -> [TracePattern] {
    var patterns: [TracePattern] = []
    for (number, text) in block.lines {
      patterns.append(
        try TracePattern(text, at: ScriptLocation(file: call.location.file, line: number)))
    }
    return patterns
  }
}

extension ScriptEnvironment {
  /// Compares the callbacks since the last line that acted with the lines of a `trace` block.
  package func expectTrace(_ name: String, _ lines: [String]) throws(StepFailure) {
    var patterns: [TracePattern] = []
    for (index, line) in lines.enumerated() {
      do throws(ScriptError) {
        patterns.append(try TracePattern(line, at: ScriptLocation(file: "trace", line: index + 1)))
      } catch {
        throw .unrunnable(error.description)
      }
    }
    let comparison = TraceComparison(patterns, try client(name).recentCallbacks)
    if !comparison.agrees { throw Self.difference(of: name, comparison) }
  }

  fileprivate static func difference(
    of name: String, _ comparison: TraceComparison
  ) -> StepFailure {
    .mismatch(
      "callbacks of \(name) differ (- expected, + actual):\n"
        + comparison.difference.joined(separator: "\n"))
  }
}
