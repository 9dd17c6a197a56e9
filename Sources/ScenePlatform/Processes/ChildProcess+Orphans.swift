extension ChildProcess {
  /// Reaps all ended children except `others`.
  package static func reapEnded(sparing others: Set<ChildProcess>) {
    guard !others.isEmpty else {
      var status: Int32 = 0
      while retrying({ waitpid(-1, &status, WNOHANG) }) > 0 {}
      return
    }
    for process in all where !others.contains(process) { _ = process.reapIfEnded() }
  }

  /// The current children, also ended ones that are not reaped; empty without `/proc`.
  package static var all: [ChildProcess] {
    ProcessIdentity.childNumbers(of: ProcessIdentity.currentPID).map(ChildProcess.init)
  }
}
