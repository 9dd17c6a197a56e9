/// Moves the terminal between this process and a program in another process group, as a shell does
/// for a foreground job.
package struct TerminalForegroundGroup {
  private let number: Int32
  private var ownMode: Terminal.Mode?
  private var programMode: Terminal.Mode?
  package private(set) var programHasForeground = false

  /// Nil if no standard stream is the terminal of this session.
  package init?() {
    let found = (0...2).first { Terminal.foregroundGroup(of: $0) != nil }
    guard let found else { return nil }
    number = found
  }

  /// Whether the terminal is closed. A pipe in place of another stream is no closed terminal.
  package var isClosed: Bool { !Terminal.isTerminal(number) }

  /// Whether the group of this process is the foreground group.
  package var isInForeground: Bool { Terminal.isInForeground(of: number) }

  /// Whether a group is the foreground group.
  package func isForeground(_ group: ProcessGroup) -> Bool {
    Terminal.foregroundGroup(of: number) == group.number
  }

  /// Prepares a program that takes the foreground itself at its start. Returns the terminal; nil if
  /// this process is in the background.
  package mutating func terminalForNewProgram() -> Int32? {
    guard isInForeground else { return nil }
    ownMode = try? Terminal.Mode(of: number)
    programMode = nil
    programHasForeground = true
    return number
  }

  /// Moves a running program to the foreground and restores its terminal mode. Does nothing in the
  /// background.
  package mutating func moveToForeground(_ group: ProcessGroup) {
    guard isInForeground else { return }
    ownMode = try? Terminal.Mode(of: number)
    try? programMode?.apply(to: number)
    Terminal.bringToForeground(group.number, of: number)
    programHasForeground = true
  }

  /// Moves this process to the foreground. `restoringMode` also restores the own terminal mode, and
  /// `restoringScreen` the state of the screen that a killed program leaves.
  package mutating func reclaim(restoringMode: Bool, restoringScreen: Bool = false) {
    guard programHasForeground else { return }
    programHasForeground = false
    programMode = try? Terminal.Mode(of: number)
    Terminal.bringToForeground(ProcessGroup.current.number, of: number)
    if restoringMode { try? ownMode?.apply(to: number) }
    guard restoringScreen else { return }
    let screen = [StandardStream.error, .output].first { $0.isTerminal }
    screen?.offer(Terminal.restoredScreen)
  }

  /// Restores the own terminal mode, and discards the input that no program has read. Does nothing
  /// in the background.
  package func restoreModeDiscardingInput() {
    guard isInForeground else { return }
    try? ownMode?.apply(to: number)
    Terminal.discardInput(of: number)
  }

  /// Notes after a stop whether the program has the foreground. The shell that continued this
  /// process has set the foreground group, but the program can have started since.
  package mutating func update(for group: ProcessGroup?) {
    programHasForeground = group.map(isForeground) ?? false
  }
}

extension Terminal {
  /// Restores the screen, cursor, keys, mouse and paste modes. A terminal without one of them
  /// ignores its sequence.
  package static let restoredScreen: String = {
    // Some terminals restore the cursor of an earlier program when they leave the alternate screen
    // without being there. So the sequence enters it first, which saves the cursor of the main one.
    let mainScreen = "\u{1B}[?1049h\u{1B}[?1049l"
    let colors = "\u{1B}[0m\u{1B}(B"
    // The region's reset moves the cursor.
    let scrollRegion = "\u{1B}7\u{1B}[r\u{1B}8"
    // The wrapping of lines and the cursor.
    let shown = [7, 25].map { "\u{1B}[?\($0)h" }
    // Cursor keys, the mouse, reports of the focus, bracketed paste, and synchronized output.
    let hidden = [1, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 2004, 2026].map {
      "\u{1B}[?\($0)l"
    }
    // The keypad, the modified keys of xterm, and the keys of kitty.
    let keys = "\u{1B}>\u{1B}[>4m\u{1B}[<u"
    return (hidden + [mainScreen, colors, scrollRegion] + shown + [keys]).joined()
  }()
}
