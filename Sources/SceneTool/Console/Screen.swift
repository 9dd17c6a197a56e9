import ScenePlatform

/// Shows lines on standard output, with a prompt below them. Uses standard error if a program owns
/// standard output.
final class Screen: Sendable {
  private struct Content {
    var stream: StandardStream
    /// Whether a program owns the screen, so that no line is shown.
    var isOwnedByProgram = false
    /// The typed text; nil without a prompt.
    var typed: String?
    /// The number of rows of the prompt − 1.
    var rowsAbove = 0
    /// The error of the last write; nil while writes succeed.
    var failure: ErrorCode?
  }

  private let content: ConditionMutex<Content>
  private static var prompt: String { "> " }

  /// The error of the last write; nil while writes succeed.
  var failure: ErrorCode? { content.withLock { $0.failure } }

  init(on stream: StandardStream) { content = ConditionMutex(Content(stream: stream)) }

  /// Shows the following lines on standard error, because a program owns standard output.
  func moveToErrors() { content.withLock { $0.stream = .error } }

  /// Whether a program owns the screen, so that no line is shown.
  var isOwnedByProgram: Bool {
    get { content.withLock { $0.isOwnedByProgram } }
    set { content.withLock { $0.isOwnedByProgram = newValue } }
  }

  /// Shows lines above the prompt.
  func show(_ lines: [String]) {
    content.withLock { content in
      var text = Self.clearing(&content)
      for line in lines { text += line + "\n" }
      text += Self.drawing(&content)
      write(text, &content)
    }
  }

  /// Shows the prompt with the typed text; nil removes the prompt.
  func showPrompt(_ typed: String?) {
    content.withLock { content in
      var text = Self.clearing(&content)
      content.typed = typed?.printable
      text += Self.drawing(&content)
      write(text, &content)
    }
  }

  /// Keeps a finished line and begins a new one below it.
  func commit(_ line: String) {
    content.withLock { content in
      var text = Self.clearing(&content) + Self.prompt + line.printable + "\n"
      content.typed = ""
      text += Self.drawing(&content)
      write(text, &content)
    }
  }

  /// Shows a line on standard error, without disturbing the prompt.
  func complain(_ line: String) {
    content.withLock { content in
      write(Self.clearing(&content), &content)
      try? StandardStream.error.write(line + "\n")
      write(Self.drawing(&content), &content)
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

  private func write(_ text: String, _ content: inout Content) {
    guard !text.isEmpty, content.failure == nil, !content.isOwnedByProgram else { return }
    do throws(SystemError) {
      try content.stream.write(text)
    } catch {
      // A closed standard error is no failure.
      if content.stream == .output { content.failure = error.code }
    }
  }
}
