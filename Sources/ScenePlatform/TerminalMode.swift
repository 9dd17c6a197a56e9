#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Terminal {
  /// How a terminal treats its keys.
  package struct Mode: Sendable {
    private var attributes: termios

    /// The mode that the terminal behind a descriptor is in.
    package init(of number: Int32) throws(SystemError) {
      var attributes = termios()
      try check("tcgetattr") { tcgetattr(number, &attributes) }
      self.attributes = attributes
    }

    /// The same, but keys come one by one and are not shown. Those that send signals still do.
    package var unechoed: Mode {
      var mode = self
      mode.attributes.c_lflag &= ~tcflag_t(ICANON | ECHO)
      return mode
    }

    /// Sets it, once everything written before is out. Only the foreground may do so.
    package func apply(to number: Int32) throws(SystemError) {
      var attributes = self.attributes
      try check("tcsetattr") { tcsetattr(number, TCSADRAIN, &attributes) }
    }
  }

  /// Whether the terminal's keys go to this process.
  package static func isInForeground(of number: Int32) -> Bool {
    foregroundGroup(of: number) == getpgrp()
  }
}
