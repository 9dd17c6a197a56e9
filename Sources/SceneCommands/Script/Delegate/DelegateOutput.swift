import SceneCommandLine
import SceneJSON
import ScenePlatform

/// The output of an application delegate in a shell.
///
/// Several threads print. Only the lock uses the console, so the class is `Sendable`.
final class DelegateOutput: @unchecked Sendable {
  let printsJSON: Bool
  private let console: Console
  private let lock = ConditionMutex(())

  init(_ console: Console, printsJSON: Bool) {
    self.console = console
    self.printsJSON = printsJSON
  }

  /// Prints a line: text, or with `--json` an object.
  func show(_ text: String, _ json: RawJSON) {
    lock.withLock { _ in
      if printsJSON { console.print(json) } else { console.print(text) }
      // The end of the verb reports an error of this write.
      try? console.flush()
    }
  }

  func printError(_ problem: String) {
    lock.withLock { _ in console.printError("scenectl: \(PlainText.escaped(problem))") }
  }
}
