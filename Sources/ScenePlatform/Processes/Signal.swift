import CScenePlatform

/// A signal by its number.
package struct Signal: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  package static var hangup: Signal { Signal(rawValue: SIGHUP) }
  package static var interrupt: Signal { Signal(rawValue: SIGINT) }
  package static var quit: Signal { Signal(rawValue: SIGQUIT) }
  package static var kill: Signal { Signal(rawValue: SIGKILL) }
  package static var user1: Signal { Signal(rawValue: SIGUSR1) }
  package static var segmentationFault: Signal { Signal(rawValue: SIGSEGV) }
  package static var brokenPipe: Signal { Signal(rawValue: SIGPIPE) }
  package static var terminate: Signal { Signal(rawValue: SIGTERM) }
  package static var child: Signal { Signal(rawValue: SIGCHLD) }
  package static var `continue`: Signal { Signal(rawValue: SIGCONT) }
  package static var stop: Signal { Signal(rawValue: SIGSTOP) }
  package static var terminalStop: Signal { Signal(rawValue: SIGTSTP) }
  package static var terminalInput: Signal { Signal(rawValue: SIGTTIN) }
  package static var terminalOutput: Signal { Signal(rawValue: SIGTTOU) }
  package static var windowChange: Signal { Signal(rawValue: SIGWINCH) }

  /// The signals that end a program.
  package static var ending: [Signal] { [.interrupt, .terminate, .hangup] }
}

extension Signal {
  /// Parses a name of `kill -l`, with or without "SIG", in any letter case, or a number.
  package init?(name: String) {
    if let number = Int32(name), number > 0, number < Signal.end {
      self.init(rawValue: number)
      return
    }
    var upper = name.uppercased()
    if upper.hasPrefix("SIG") { upper.removeFirst(3) }
    guard let found = Signal.names.first(where: { $0.name == upper }) else { return nil }
    self.init(rawValue: found.number)
  }

  /// For example "KILL"; the number if the signal has no name.
  package var name: String {
    Signal.names.first { $0.number == rawValue }?.name ?? String(rawValue)
  }

  /// The signal names of the command line: names with and without SIG, and numbers.
  package static var words: [String] {
    names.flatMap { [$0.name, "SIG" + $0.name] } + (1..<end).map { "\($0)" }
  }

  private static var names: [(name: String, number: Int32)] {
    [
      ("HUP", SIGHUP), ("INT", SIGINT), ("QUIT", SIGQUIT), ("ILL", SIGILL), ("TRAP", SIGTRAP),
      ("ABRT", SIGABRT), ("BUS", SIGBUS), ("FPE", SIGFPE), ("KILL", SIGKILL), ("USR1", SIGUSR1),
      ("SEGV", SIGSEGV), ("USR2", SIGUSR2), ("PIPE", SIGPIPE), ("ALRM", SIGALRM),
      ("TERM", SIGTERM), ("CHLD", SIGCHLD), ("CONT", SIGCONT), ("STOP", SIGSTOP),
      ("TSTP", SIGTSTP), ("TTIN", SIGTTIN), ("TTOU", SIGTTOU), ("URG", SIGURG),
      ("XCPU", SIGXCPU), ("XFSZ", SIGXFSZ), ("VTALRM", SIGVTALRM), ("PROF", SIGPROF),
      ("WINCH", SIGWINCH), ("IO", SIGIO), ("SYS", SIGSYS),
    ]
  }
}

extension Signal: CustomStringConvertible {
  /// For example "SIGKILL".
  package var description: String {
    let name = self.name
    return name == String(rawValue) ? "signal \(name)" : "SIG" + name
  }
}

extension Signal {
  /// Whether this process ignores the signal. By convention a program keeps a signal ignored that
  /// was ignored at its start, as under `nohup`.
  package var isIgnored: Bool { platform_is_ignored(rawValue) != 0 }

  /// Sends the signal to a process, or to a group if `process` is negative.
  package func send(to process: Int32) throws(SystemError) {
    try check("kill") { ScenePlatform.kill(process, rawValue) }
  }

  /// Ignores SIGPIPE, so that a write to a closed pipe fails instead.
  package static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Ignores SIGXFSZ, so that a write beyond the file size limit fails instead.
  package static func ignoreFileSizeLimits() {
    _ = signal(SIGXFSZ, SIG_IGN)
  }

  /// Sets the default action of SIGCHLD. With an inherited ignored SIGCHLD, this process could not
  /// reap its children.
  package static func restoreChildEnds() {
    _ = signal(SIGCHLD, SIG_DFL)
  }

  /// Sets the default action of SIGPIPE, also if the parent ignored it: a write to a closed pipe
  /// ends the process.
  package static func restoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_DFL)
  }
}

extension Signal {
  /// Blocks all signals during `body`. A thread that `body` starts keeps them blocked.
  static func withAllBlocked<Result>(_ body: () -> Result) -> Result {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
  }
}

extension Signal {
  /// Sends the signal to the calling thread only.
  func sendToThisThread() {
    pthread_kill(pthread_self(), rawValue)
  }
}
