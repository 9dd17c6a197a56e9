package import ScenePlatform

extension ProgressLine {
  /// Shows a text, escaped and cut to the width of the terminal.
  package func show(_ text: @autoclosure () -> String) {
    show { PlainText.cut(PlainText.escaped(text()), to: $0) }
  }
}
