/// The terminal of a full-screen program. Standard input has the keys, and standard output shows
/// the lines.
///
/// One thread uses it. Call ``leave()`` before the process ends or stops.
package final class FullScreen {
  /// The mode of the terminal before this program; nil while the program does not own the screen.
  private var ownMode: Terminal.Mode?
  /// The lines on the screen; nil if the content is unknown.
  private var shown: [String]?

  package init() {}

  /// The size of the window.
  package static var size: Terminal.Size {
    Terminal.size(of: StandardStream.output.number) ?? Terminal.Size(columns: 80, rows: 24)
  }

  /// Whether this process owns the screen.
  package private(set) var isEntered = false

  /// Whether the terminal has taken all output.
  package var isReady: Bool { !StandardStream.output.isBehind }

  /// Takes the terminal, and clears its alternate screen. Returns false in the background, where a
  /// change of the terminal would stop the process.
  package func enter() throws(SystemError) -> Bool {
    guard Terminal.canChange(StandardStream.input.number) else { return false }
    let input = StandardStream.input.number
    let mode = try Terminal.Mode(of: input)
    try mode.keyByKey.apply(to: input)
    if ownMode == nil { ownMode = mode }
    shown = nil
    isEntered = true
    write(Self.enterAlternateScreen + Self.hideCursor + Self.noWrapping)
    return true
  }

  /// The shell may have taken the terminal, as after SIGCONT. ``enter()`` takes it again.
  package func lose() { isEntered = false }

  /// Returns the terminal to the caller of this program. Waits for the terminal for at most one
  /// second.
  package func leave() {
    guard let mode = ownMode else { return }
    ownMode = nil
    isEntered = false
    guard Terminal.canChange(StandardStream.input.number) else { return }
    write(Self.wrapping + Self.showCursor + Self.leaveAlternateScreen)
    StandardStream.finishOutput()
    try? mode.apply(to: StandardStream.input.number)
  }

  /// Shows these lines from the top, and clears the rest. Writes only the lines that changed.
  package func show(_ lines: [String]) {
    var text = ""
    if shown == nil { text += Self.clear }
    for (row, line) in lines.enumerated() where shown?.dropFirst(row).first != line {
      // After a character in the last column, an erasure would erase that column.
      text += "\u{1B}[\(row + 1);1H\u{1B}[K\(line)"
    }
    if let shown, lines.count < shown.count { text += "\u{1B}[\(lines.count + 1);1H\u{1B}[J" }
    shown = lines
    if !text.isEmpty { write(text) }
  }

  /// Draws all lines the next time, as after a change of the window's size.
  package func invalidate() { shown = nil }

  private func write(_ text: String) { StandardStream.output.offer(text, required: true) }

  private static let enterAlternateScreen = "\u{1B}[?1049h"
  private static let leaveAlternateScreen = "\u{1B}[?1049l"
  private static let hideCursor = "\u{1B}[?25l"
  private static let showCursor = "\u{1B}[?25h"
  /// A terminal may show a character wider than this program computes. Such a line is cut.
  private static let noWrapping = "\u{1B}[?7l"
  private static let wrapping = "\u{1B}[?7h"
  private static let clear = "\u{1B}[0m\u{1B}[H\u{1B}[J"
}
