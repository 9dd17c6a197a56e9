import ScenePlatform

/// Who is on a stage now: for whoever is told to end this process.
package final class StageRemains: Sendable {
  private let content = Monitor(Content())

  private struct Content: Sendable {
    var stages: [ProcessGroup: Entry] = [:]
    var isCleared = false
  }

  private struct Entry: Sendable {
    var troupe: Troupe
    /// What is being done there.
    var deed: String?
    /// Its directory, if that stays.
    var keptDirectory: String?
  }

  package init() {}

  func begin(_ troupe: Troupe, keeping directory: String? = nil) {
    change { $0.stages[troupe.group] = Entry(troupe: troupe, keptDirectory: directory) }
  }

  /// What is done on a stage from here on.
  func note(_ deed: String, on troupe: Troupe) {
    change { $0.stages[troupe.group]?.deed = deed }
  }

  /// Ends everybody of a stage.
  func end(_ troupe: Troupe) {
    troupe.end()
    change { $0.stages[troupe.group] = nil }
  }

  /// Once all has been cleared away the process is about to end, and nobody gets any further.
  private func change(_ body: (inout Content) -> Void) {
    _ = content.wait { $0.isCleared ? nil : body(&$0) }
  }

  /// Whoever works on a stage is held up from now on; what was being done, a line each.
  package func stop() -> [String] {
    let stages = content.withLock { content in
      content.isCleared = true
      return content.stages.values
    }
    let kept = stages.compactMap(\.keptDirectory).sorted().map { "everything is kept in \($0)" }
    return stages.compactMap(\.deed).sorted() + kept
  }

  /// Ends everybody on every stage.
  package func clear() {
    _ = stop()
    let stages = content.withLock { $0.stages.values }
    for stage in stages { stage.troupe.end() }
  }
}
