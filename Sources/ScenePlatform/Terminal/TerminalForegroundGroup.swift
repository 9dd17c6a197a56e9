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

  /// Moves this process to the foreground. `restoringMode` also restores the own terminal mode.
  package mutating func reclaim(restoringMode: Bool) {
    guard programHasForeground else { return }
    programHasForeground = false
    programMode = try? Terminal.Mode(of: number)
    Terminal.bringToForeground(ProcessGroup.current.number, of: number)
    if restoringMode { try? ownMode?.apply(to: number) }
  }

  /// Forgets the program's turn after a stop, because the shell that continued this process has set
  /// the foreground group.
  package mutating func reset() { programHasForeground = false }
}
