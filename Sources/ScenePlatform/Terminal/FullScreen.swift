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

  /// Takes the terminal, and clears its alternate screen. A second call repeats this, as after
  /// SIGCONT.
  package func enter() throws(SystemError) {
    let input = StandardStream.input.number
    let mode = try Terminal.Mode(of: input)
    // In the background, this call stops the process before it writes to the terminal.
    try mode.keyByKey.apply(to: input)
    if ownMode == nil { ownMode = mode }
    shown = nil
    write(Self.enterAlternateScreen + Self.hideCursor + Self.noWrapping)
  }

  /// Returns the terminal to the caller of this program.
  package func leave() {
    guard let mode = ownMode else { return }
    ownMode = nil
    write(Self.wrapping + Self.showCursor + Self.leaveAlternateScreen)
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

  /// The time that the terminal has to take output, in nanoseconds. A terminal that does not read
  /// must not keep the program from its signals.
  private static let timeout: Int64 = 1_000_000_000

  private func write(_ text: String) {
    if !StandardStream.output.offer(text, timeout: Self.timeout) { shown = nil }
  }

  private static let enterAlternateScreen = "\u{1B}[?1049h"
  private static let leaveAlternateScreen = "\u{1B}[?1049l"
  private static let hideCursor = "\u{1B}[?25l"
  private static let showCursor = "\u{1B}[?25h"
  /// A terminal may show a character wider than this program computes. Such a line is cut.
  private static let noWrapping = "\u{1B}[?7l"
  private static let wrapping = "\u{1B}[?7h"
  private static let clear = "\u{1B}[0m\u{1B}[H\u{1B}[J"
}
