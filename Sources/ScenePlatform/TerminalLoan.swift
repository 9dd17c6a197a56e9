/// This process's terminal, and how its keys are lent to a program in a process group of its own, as
/// a shell lends them to a job.
package struct TerminalLoan {
  private let number: Int32
  private var ownMode: Terminal.Mode?
  private var programMode: Terminal.Mode?
  package private(set) var isLent = false

  /// Nil where none of the standard streams is a terminal of this session.
  package init?() {
    let found = (0...2).first { Terminal.foregroundGroup(of: $0) != nil }
    guard let found else { return nil }
    number = found
  }

  /// Whether the keys come to this process's group now, so that it may lend them.
  package var isOurs: Bool { Terminal.isInForeground(of: number) }

  /// Begins a loan to a program that takes the keys itself when it starts: to which terminal, unless
  /// they are not here to be lent.
  package mutating func begin() -> Int32? {
    guard isOurs else { return nil }
    ownMode = try? Terminal.Mode(of: number)
    programMode = nil
    isLent = true
    return number
  }

  /// Lends the keys to a program that runs, if they are here; with the mode it left them in.
  package mutating func lend(to group: ProcessGroup) {
    guard isOurs else { return }
    ownMode = try? Terminal.Mode(of: number)
    try? programMode?.apply(to: number)
    Terminal.bringToForeground(group.number, of: number)
    isLent = true
  }

  /// Takes the keys back; also the mode, of a program that did not leave the terminal in order.
  package mutating func takeBack(restoringMode: Bool) {
    guard isLent else { return }
    isLent = false
    programMode = try? Terminal.Mode(of: number)
    Terminal.bringToForeground(ProcessGroup.current.number, of: number)
    if restoringMode { try? ownMode?.apply(to: number) }
  }

  /// This process was stopped: whoever continued it, as a shell does, has said whose the keys are.
  package mutating func forget() { isLent = false }
}
