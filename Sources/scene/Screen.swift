import ScenePlatform

/// Standard output, and on it a prompt that stays below whatever else is shown; or standard error,
/// where the output is a program's.
final class Screen: Sendable {
  private struct Content {
    /// Whether a program has it, so that nothing is shown.
    var isLent = false
    /// What has been typed; nil while there is no prompt.
    var typed: String?
    /// Rows that the prompt takes but for the last.
    var rowsAbove = 0
    /// Why nothing can be shown any more.
    var failure: ErrorCode?
  }

  private let content = Monitor(Content())
  private let stream: StandardStream
  private static var prompt: String { "> " }

  /// Why nothing can be shown any more; nil while it can.
  var failure: ErrorCode? { content.withLock { $0.failure } }

  init(on stream: StandardStream = .output) { self.stream = stream }

  /// Whether a program has it, so that nothing is shown.
  var isLent: Bool {
    get { content.withLock { $0.isLent } }
    set { content.withLock { $0.isLent = newValue } }
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

  /// Shows the prompt with what has been typed; nil takes it away.
  func showPrompt(_ typed: String?) {
    content.withLock { content in
      var text = Self.clearing(&content)
      content.typed = typed?.printable
      text += Self.drawing(&content)
      write(text, &content)
    }
  }

  /// The line was finished: it stays where it is, and a new one begins below.
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
    guard !text.isEmpty, content.failure == nil, !content.isLent else { return }
    do throws(SystemError) {
      try stream.write(text)
    } catch {
      // Whoever does not read errors need not.
      if stream == .output { content.failure = error.code }
    }
  }
}
