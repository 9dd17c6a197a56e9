import ScenePlatform

/// The supervisors of all running scripts, so that a signal handler can end their processes.
package final class CleanupRegistry: Sendable {
  private let content = ConditionMutex(Content())

  private struct Content: Sendable {
    var entries: [ProcessGroup: Entry] = [:]
    var isCleared = false
  }

  private struct Entry: Sendable {
    var supervisor: ProcessSupervisor
    /// The line that is running, for the report of an interruption.
    var step: String?
    /// Nil if the directory is removed.
    var keptDirectory: String?
  }

  package init() {}

  func begin(_ supervisor: ProcessSupervisor, keeping directory: String? = nil) {
    change {
      $0.entries[supervisor.group] = Entry(supervisor: supervisor, keptDirectory: directory)
    }
  }

  func setStep(_ step: String, of supervisor: ProcessSupervisor) {
    change { $0.entries[supervisor.group]?.step = step }
  }

  func end(_ supervisor: ProcessSupervisor) {
    supervisor.end()
    change { $0.entries[supervisor.group] = nil }
  }

  /// After `stop()` the process is about to exit, so every change blocks for good.
  private func change(_ body: (inout Content) -> Void) {
    _ = content.wait { $0.isCleared ? nil : body(&$0) }
  }

  /// Blocks every later change, and returns the lines that were running and the kept directories.
  package func stop() -> [String] {
    let entries = content.withLock { content in
      content.isCleared = true
      return content.entries.values
    }
    let kept = entries.compactMap(\.keptDirectory).sorted().map { "files kept in \($0)" }
    return entries.compactMap(\.step).sorted() + kept
  }

  /// Ends the processes of all running scripts.
  package func clear() {
    _ = stop()
    let entries = content.withLock { $0.entries.values }
    for entry in entries { entry.supervisor.end() }
  }
}
