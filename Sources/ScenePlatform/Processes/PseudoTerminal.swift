import CScenePlatform

/// A terminal that a process shows to its user itself.
package enum PseudoTerminal {
  /// Opens a terminal. The first end shows the output of the program and takes the keys; it does
  /// not wait. The second end is the terminal of the program.
  package static func open() throws(SystemError) -> FileDescriptor.Pair {
    let numbers = try openEnds()
    let shown = FileDescriptor(adopting: numbers.shown)
    let program = FileDescriptor(adopting: numbers.program)
    try shown.setNonblocking()
    return FileDescriptor.Pair(shown, program)
  }

  /// Makes this process the leader of a new session that has the terminal. The caller must lead no
  /// process group. The kernel sends SIGHUP to the programs of the session when the process ends.
  package static func control(_ terminal: Int32) throws(SystemError) {
    try check("setsid") { setsid() }
    try check("ioctl") { ioctl(terminal, takeTerminal, 0) }
  }
}

extension Terminal {
  /// Sets the size of the window. The programs on the terminal get SIGWINCH if it differs.
  package static func setSize(_ size: Size, of number: Int32) {
    var window = winsize()
    window.ws_col = UInt16(clamping: size.columns)
    window.ws_row = UInt16(clamping: size.rows)
    _ = ioctl(number, UInt(TIOCSWINSZ), &window)
  }
}
