import CScenePlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The process group of a program that ``ChildProcess`` starts in the foreground.
package enum JobGroup: Sendable {
  /// The group of this process.
  case shared
  /// A new group, which becomes the foreground group of `terminal` at the start.
  case own(terminal: Int32?)
}

extension ChildProcess {
  /// Starts a program with the standard streams of this process, and with its working directory by
  /// default. The child also gets the descriptors in `keeping`, under the same numbers. `giving`
  /// maps other numbers of the child to ours, also standard streams.
  ///
  /// The child gets the environment of this process with the changes in `changing`; nil removes a
  /// variable. Call this method on a thread that lives as long as this process, such as the main
  /// thread. On Linux the kernel sends `death` to the child when that thread ends, even after
  /// SIGKILL.
  ///
  /// On Linux the child gets the soft limit of descriptors from the start of this process. It
  /// ignores the signals that this process ignored at its start, as under `nohup`, except SIGPIPE
  /// and SIGXFSZ. On Darwin it ignores no signal: ``SignalSource`` itself ignores signals there, so
  /// the original state is unknown.
  package static func spawnForegroundJob(
    _ path: String, _ words: [String], keeping: [Int32] = [], giving: [Int32: Int32] = [:],
    changing: [String: String?], workingDirectory: String? = nil, group: JobGroup = .shared,
    death: Signal = .hangup
  ) throws(SystemError) -> ChildProcess {
    #if canImport(Darwin)
      var variables = Environment.all
      for (name, value) in changing { variables[name] = value }
      let kept = Dictionary(uniqueKeysWithValues: Set(keeping).map { ($0, $0) })
      let child = try spawn(
        path, Array(words.dropFirst()), environment: variables,
        descriptors: kept.merging(giving) { $1 }, workingDirectory: workingDirectory,
        group: group.leads ? 0 : nil)
      if let terminal = group.terminal {
        Terminal.bringToForeground(child.pid, of: terminal)
        // The child may have stopped because it read the terminal too early.
        try? Signal.continue.send(to: -child.pid)
      }
      return child
    #else
      try FileDescriptor.closeOnExec(allBut: keeping)
      let variables = CStringArray(
        keeping: { changing[$0] == nil }, adding: changing.compactMapValues(\.self))
      let plan = ForkPlan(
        descriptors: giving, workingDirectory: workingDirectory, leadsGroup: group.leads,
        terminal: group.terminal, death: death)
      return try spawn(path, words, variables, plan)
    #endif
  }

  /// Makes this process the parent of orphaned descendants; false if the system cannot.
  @discardableResult
  package static func adoptOrphans() -> Bool {
    #if canImport(Darwin)
      return false
    #else
      return platform_adopt_orphans() == 0
    #endif
  }

  /// Reaps all ended children except `others`.
  package static func reapEnded(sparing others: Set<ChildProcess>) {
    guard !others.isEmpty else {
      var status: Int32 = 0
      while retrying({ waitpid(-1, &status, WNOHANG) }) > 0 {}
      return
    }
    for process in all where !others.contains(process) { _ = process.reapIfEnded() }
  }

  /// The current children, also ended ones that are not reaped; empty if the system does not report
  /// them.
  package static var all: [ChildProcess] {
    let threads = (try? Directory.list("/proc/self/task")) ?? []
    return threads.flatMap { thread in
      let list = try? File.read("/proc/self/task/\(thread)/children", limit: 1 << 20)
      return String(decoding: list ?? [], as: UTF8.self).split(separator: " ")
        .compactMap { Int32($0).map(ChildProcess.init) }
    }
  }
}

extension JobGroup {
  fileprivate var leads: Bool {
    switch self {
    case .shared: false
    case .own: true
    }
  }

  fileprivate var terminal: Int32? {
    switch self {
    case .shared: nil
    case .own(let terminal): terminal
    }
  }
}

#if !canImport(Darwin)
  extension FileDescriptor {
    /// Makes all descriptors except 0, 1, 2 and `kept` close-on-exec.
    fileprivate static func closeOnExec(allBut kept: [Int32]) throws(SystemError) {
      for number in kept {
        let flags = try check("fcntl", "descriptor \(number)") { fcntl(number, F_GETFD) }
        try check("fcntl") { fcntl(number, F_SETFD, flags & ~FD_CLOEXEC) }
      }
      for number in try Directory.list("/proc/self/fd").compactMap({ Int32($0) })
      where number > 2 && !kept.contains(number) {
        // The list includes its own descriptor, which is already closed.
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      }
    }
  }
#endif
