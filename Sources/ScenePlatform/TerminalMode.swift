import CPlatform

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

  /// Lets the terminal's keys go to another process group of this session: also from the
  /// background, where asking for that stops whoever does not mind.
  package static func bringToForeground(_ group: Int32, of number: Int32) {
    var outOfBackground = sigset_t()
    var before = sigset_t()
    sigemptyset(&outOfBackground)
    sigaddset(&outOfBackground, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &outOfBackground, &before)
    tcsetpgrp(number, group)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Whether the terminal's keys go to this process.
  package static func isInForeground(of number: Int32) -> Bool {
    foregroundGroup(of: number) == getpgrp()
  }
}
