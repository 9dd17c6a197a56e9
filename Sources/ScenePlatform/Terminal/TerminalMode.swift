import CScenePlatform

extension Terminal {
  /// The settings of a terminal.
  package struct Mode: Sendable {
    private var attributes: termios

    /// Reads the current mode of the terminal.
    package init(of number: Int32) throws(SystemError) {
      var attributes = termios()
      try check("tcgetattr") { tcgetattr(number, &attributes) }
      self.attributes = attributes
    }

    /// The mode without line editing and echo. Keys that send signals keep their function.
    package var unechoed: Mode {
      var mode = self
      mode.attributes.c_lflag &= ~tcflag_t(ICANON | ECHO)
      return mode
    }

    /// The mode that also delivers Ctrl-S and Ctrl-Q as keys, so that Ctrl-S stops no output.
    package var keyByKey: Mode {
      var mode = unechoed
      mode.attributes.c_iflag &= ~tcflag_t(IXON)
      return mode
    }

    /// The mode that passes each byte unchanged, also those of keys that send signals.
    package var raw: Mode {
      var mode = self
      cfmakeraw(&mode.attributes)
      return mode
    }

    /// Sets the mode at once, because a terminal that does not read never writes pending output.
    /// Only a foreground process may call it.
    package func apply(to number: Int32) throws(SystemError) {
      var attributes = self.attributes
      try check("tcsetattr") { tcsetattr(number, TCSANOW, &attributes) }
    }
  }

  /// Makes another process group of this session the foreground group. Blocks SIGTTOU, which would
  /// stop a background caller.
  package static func bringToForeground(_ group: Int32, of number: Int32) {
    var outOfBackground = sigset_t()
    var before = sigset_t()
    sigemptyset(&outOfBackground)
    sigaddset(&outOfBackground, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &outOfBackground, &before)
    tcsetpgrp(number, group)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Whether this process can draw on the terminal and set its mode. In the background it can only
  /// do so on a terminal of another session.
  package static func canChange(_ number: Int32) -> Bool {
    foregroundGroup(of: number).map { $0 == getpgrp() } ?? true
  }

  /// Whether the group of this process is the foreground group.
  package static func isInForeground(of number: Int32) -> Bool {
    foregroundGroup(of: number) == getpgrp()
  }
}
