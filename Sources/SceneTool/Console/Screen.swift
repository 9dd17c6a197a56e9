import ScenePlatform

/// Shows lines on standard output, with a prompt below them. Uses standard error if a program owns
/// standard output.
///
/// No call waits for the reader. If a terminal does not read, lines are lost and counted. A program
/// that reads misses no line: the producers wait with ``waitForReader()``.
final class Screen: Sendable {
  private struct Content {
    var stream: StandardStream
    var isTerminal: Bool
    /// Whether a program owns the screen, so that no line is shown.
    var isOwnedByProgram = false
    /// The typed text; nil without a prompt.
    var typed: String?
    /// The number of rows of the prompt − 1.
    var rowsAbove = 0
    /// The lines that are lost since the last one that was shown.
    var lostCount = 0
  }

  private let content: ConditionMutex<Content>
  private static var prompt: String { "> " }

  private let printsJSON: Bool

  init(on stream: StandardStream, printsJSON: Bool) {
    content = ConditionMutex(Content(stream: stream, isTerminal: stream.isTerminal))
    self.printsJSON = printsJSON
  }

  /// The first error of standard output; nil while writes succeed. A closed standard error is no
  /// failure.
  var failure: ErrorCode? { content.withLock { $0.stream == .output ? $0.stream.failure : nil } }

  /// Waits until a reader that is not a terminal has read enough.
  func waitForReader() {
    content.withLock { $0.isTerminal ? nil : $0.stream }?.waitForRoom()
  }

  /// Shows the following lines on standard error, because a program owns standard output.
  func moveToErrors() {
    content.withLock { ($0.stream, $0.isTerminal) = (.error, StandardStream.error.isTerminal) }
  }

  /// Whether a program owns the screen, so that no line is shown.
  var isOwnedByProgram: Bool {
    get { content.withLock { $0.isOwnedByProgram } }
    set { content.withLock { $0.isOwnedByProgram = newValue } }
  }

  /// Shows lines above the prompt.
  func show(_ lines: [String]) {
    content.withLock { content in
      var text = Self.clearing(&content)
      if content.lostCount > 0 { text += noteOfLoss(content.lostCount) + "\n" }
      for line in lines { text += line + "\n" }
      text += Self.drawing(&content)
      content.lostCount = write(text, content) ? 0 : content.lostCount + lines.count
    }
  }

  /// Shows the prompt with the typed text; nil removes the prompt.
  func showPrompt(_ typed: String?) {
    content.withLock { content in
      var text = Self.clearing(&content)
      content.typed = typed?.printable
      text += Self.drawing(&content)
      write(text, content)
    }
  }

  /// Keeps a finished line and begins a new one below it.
  func commit(_ line: String) {
    content.withLock { content in
      var text = Self.clearing(&content) + Self.prompt + line.printable + "\n"
      content.typed = ""
      text += Self.drawing(&content)
      write(text, content)
    }
  }

  /// Shows a line on standard error, without disturbing the prompt.
  func complain(_ line: String) {
    content.withLock { content in
      let isOnTerminal = StandardStream.error.isTerminal
      let before = Self.clearing(&content)
      let after = Self.drawing(&content)
      // One stream keeps the order of the prompt and the line.
      if content.typed != nil, isOnTerminal {
        return _ = write(before + line + "\n" + after, content)
      }
      write(before, content)
      StandardStream.error.offer(line + "\n", required: !isOnTerminal)
      write(after, content)
    }
  }

  private static func clearing(_ content: inout Content) -> String {
    guard content.typed != nil else { return "" }
    let up = content.rowsAbove > 0 ? "\u{1B}[\(content.rowsAbove)A" : ""
    return up + "\r\u{1B}[J"
  }

  private static func drawing(_ content: inout Content) -> String {
    guard let typed = content.typed else { return "" }
    let columns = max(1, Terminal.size(of: StandardStream.output.number)?.columns ?? 80)
    content.rowsAbove = (prompt.count + typed.count) / columns
    return prompt + typed
  }

  private func noteOfLoss(_ count: Int) -> String {
    printsJSON
      ? "{\"lost\":\(count)}" : "scene: lost lines: \(count); the terminal did not read them"
  }

  /// Returns false if the text is lost.
  @discardableResult
  private func write(_ text: String, _ content: Content) -> Bool {
    if text.isEmpty || content.isOwnedByProgram { return true }
    return content.stream.offer(text, required: !content.isTerminal)
  }
}
