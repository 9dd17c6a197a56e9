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
    let patterns = try TracePattern.patterns(in: block.lines, of: call.location.file)
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
}

extension ScriptEnvironment {
  /// Compares the callbacks since the last line that acted with the lines of a `trace` block.
  package func expectTrace(_ name: String, _ lines: [String]) throws(StepFailure) {
    let patterns: [TracePattern]
    do throws(ScriptError) {
      patterns = try TracePattern.patterns(in: Array(zip(1..., lines)), of: "trace")
    } catch {
      throw .unrunnable(error.description)
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
