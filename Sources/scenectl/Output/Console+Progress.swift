import CommandLine
import SceneJournal
import ScenePlatform

extension ProgressLine {
  func show(_ text: @autoclosure () -> String) {
    show { PlainText.cut(PlainText.escaped(text()), to: $0) }
  }

  /// Shows how much of a journal has been read.
  func showing(_ label: String) -> @Sendable (JournalProgress) -> Void {
    { self.show("\(label): \($0)") }
  }
}
