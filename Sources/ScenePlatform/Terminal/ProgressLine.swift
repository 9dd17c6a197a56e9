/// One line on a terminal that shows the progress of a long operation.
///
/// Each draw rewrites the line in place. The line appears after a delay and is erased before other
/// output. The line has no colors, so `NO_COLOR` does not change it.
package final class ProgressLine: Sendable {
  private struct State: Sendable {
    /// The time of the next draw, at the earliest.
    var nextDraw: Int64
    var shown: String?
    var hasEnded = false
  }

  private let interval: Int64
  private let state: ConditionMutex<State>
  private let clock: @Sendable () -> Int64
  private let columns: @Sendable () -> Int?
  private let write: @Sendable (String) -> Void
  private let didErase: @Sendable () -> Void

  /// Times are nanoseconds of `clock`. `columns` is the width of the terminal; nil while this
  /// process must not draw. `didErase` is called before other output can follow.
  package init(
    delay: Int64 = 500_000_000, interval: Int64 = 100_000_000,
    clock: @escaping @Sendable () -> Int64 = SystemClock.monotonic,
    columns: @escaping @Sendable () -> Int?, write: @escaping @Sendable (String) -> Void,
    didErase: @escaping @Sendable () -> Void = {}
  ) {
    self.interval = interval
    self.clock = clock
    self.columns = columns
    self.write = write
    self.didErase = didErase
    state = ConditionMutex(State(nextDraw: clock() + delay))
  }

  /// The line on standard error; nil if standard error is not a terminal that can erase a line.
  package static func onStandardError(terminal: String?) -> ProgressLine? {
    guard StandardStream.error.isTerminal, let terminal, terminal != "dumb" else { return nil }
    return ProgressLine(
      // Ctrl-S stops the terminal, but not the operation.
      columns: {
        StandardStream.error.isBehind
          ? nil : Terminal.columnsToDraw(on: StandardStream.error.number)
      },
      write: { StandardStream.error.offer($0) }, didErase: { StandardStream.finishOutput() })
  }

  /// Draws the text if a draw is due. `text` receives the number of columns that it may use.
  package func show(_ text: (_ columns: Int) -> String) {
    state.withLock { state in
      let now = clock()
      guard !state.hasEnded, now >= state.nextDraw, let columns = columns() else { return }
      state.nextDraw = now + interval
      // A character in the last column makes some terminals wrap.
      let text = text(max(columns - 1, 1))
      guard text != state.shown else { return }
      state.shown = text
      write("\r\(text)\(Self.eraseToEnd)")
    }
  }

  /// Erases the line; a later draw shows it again.
  package func erase() { state.withLock { erase(&$0) } }

  /// Erases the line for good.
  package func end() {
    state.withLock { state in
      state.hasEnded = true
      erase(&state)
    }
  }

  private func erase(_ state: inout State) {
    if state.shown == nil { return }
    state.shown = nil
    write("\r\(Self.eraseToEnd)")
    didErase()
  }

  private static let eraseToEnd = "\u{1B}[K"
}

extension Terminal {
  /// The width of a terminal on which this process may draw; nil while it runs in the background.
  fileprivate static func columnsToDraw(on number: Int32) -> Int? {
    canChange(number) ? size(of: number)?.columns ?? 80 : nil
  }
}
