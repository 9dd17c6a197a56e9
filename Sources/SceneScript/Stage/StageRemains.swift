import ScenePlatform

/// Who is on a stage now: for whoever is told to end this process.
package final class StageRemains: Sendable {
  private let content = Monitor(Content())

  private struct Content: Sendable {
    var troupes: [ProcessGroup: Troupe] = [:]
    var isCleared = false
  }

  package init() {}

  func begin(_ troupe: Troupe) { change { $0.troupes[troupe.group] = troupe } }

  /// Ends everybody of a stage.
  func end(_ troupe: Troupe) {
    troupe.end()
    change { $0.troupes[troupe.group] = nil }
  }

  /// Once all has been cleared away the process is about to end, and nobody gets any further.
  private func change(_ body: (inout Content) -> Void) {
    _ = content.wait { $0.isCleared ? nil : body(&$0) }
  }

  /// Ends everybody on every stage. Whoever works on one is held up from now on.
  package func clear() {
    let troupes = content.withLock { content in
      content.isCleared = true
      return content.troupes
    }
    for troupe in troupes.values { troupe.end() }
  }
}
