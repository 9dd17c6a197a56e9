import ScenePlatform

/// What stages would leave behind if this process ended now: for whoever is told to end it.
package final class StageRemains: Sendable {
  private let content = Monitor(Content())

  private struct Content: Sendable {
    var processes: [String: [StagedProcess]] = [:]
    /// Directories that are not to be removed.
    var kept: Set<String> = []
    var isCleared = false
  }

  package init() {}

  func begin(_ directory: String, isKept: Bool) {
    change { content in
      content.processes[directory] = []
      if isKept { content.kept.insert(directory) }
    }
  }

  /// Starts a process; it is known from its first moment on.
  func start(
    in directory: String, _ spawn: () throws(SystemError) -> StagedProcess
  ) throws(SystemError) -> StagedProcess {
    try change { content -> Result<StagedProcess, SystemError> in
      do throws(SystemError) {
        let process = try spawn()
        content.processes[directory, default: []].append(process)
        return .success(process)
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// All of it is gone.
  func end(_ directory: String) {
    change { content in
      content.processes[directory] = nil
      content.kept.remove(directory)
    }
  }

  /// Once all has been cleared away the process is about to end, and nobody gets any further.
  @discardableResult
  private func change<Outcome: Sendable>(_ body: (inout Content) -> Outcome) -> Outcome {
    let outcome = content.wait { $0.isCleared ? nil : body(&$0) }
    guard let outcome else { preconditionFailure("a wait without a deadline has no end but this") }
    return outcome
  }

  /// Ends every process, and removes the directories that are not to be kept. Whoever works on a
  /// stage is held up from now on.
  package func clear() {
    let (processes, kept) = content.withLock { content in
      content.isCleared = true
      return (content.processes, content.kept)
    }
    for (directory, processes) in processes {
      for process in processes { process.finishOff() }
      guard !kept.contains(directory) else { continue }
      // Somebody may be removing it at the same time, and one gets in the other's way.
      for _ in 0..<100 where File.exists(directory) { try? Directory.removeTree(directory) }
    }
  }
}
