import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The process group of a program that runs beside this one.
package enum CompanionGroup: Sendable {
  /// This process's own, as if it had been started in its place.
  case shared
  /// One that it leads; the keys of this terminal go there from the start.
  case own(terminal: Int32?)
}

/// A program that runs beside this one and ends with it.
extension ChildProcess {
  /// Starts the program at a path, with the same directory and standard streams; of other
  /// descriptors it gets those in `keeping`, under their own numbers. `giving` maps its numbers to
  /// ours where they are not the same, of standard streams as well.
  ///
  /// The environment is this one's with `changing` in it; nil takes a variable away. To be called on
  /// a thread that lives as long as this process, as the main thread does: on Linux the program is sent
  /// `death` when that thread ends, even by SIGKILL. Elsewhere the system has no such thing.
  ///
  /// On Linux it has the soft limit of descriptors that this process started with. It ignores the
  /// signals that this process was started to ignore, as under `nohup`, but not SIGPIPE and SIGXFSZ.
  /// Elsewhere it ignores no signal: there ``SignalSource`` ignores signals itself, so that the
  /// original state is unknown.
  package static func spawnCompanion(
    _ path: String, _ words: [String], keeping: [Int32] = [], giving: [Int32: Int32] = [:],
    changing: [String: String?], group: CompanionGroup = .shared, death: Signal = .hangup
  ) throws(SystemError) -> ChildProcess {
    #if canImport(Darwin)
      var variables = Environment.all
      for (name, value) in changing { variables[name] = value }
      let kept = Dictionary(uniqueKeysWithValues: Set(keeping).map { ($0, $0) })
      let child = try spawn(
        path, Array(words.dropFirst()), environment: variables,
        descriptors: kept.merging(giving) { $1 }, group: group.leads ? 0 : nil)
      if let terminal = group.terminal {
        Terminal.bringToForeground(child.pid, of: terminal)
        // It may have been stopped for its first look at the keys.
        try? Signal.continue.send(to: -child.pid)
      }
      return child
    #else
      try FileDescriptor.closeOnExec(allBut: keeping)
      let variables = CStringArray(
        keeping: { changing[$0] == nil }, adding: changing.compactMapValues(\.self))
      let plan = ForkPlan(
        descriptors: giving, leadsGroup: group.leads, terminal: group.terminal, death: death)
      return try spawn(path, CStringArray(words), variables, plan)
    #endif
  }

  /// Lets the orphans among this process's descendants become its own children; false where the
  /// system cannot.
  @discardableResult
  package static func adoptOrphans() -> Bool {
    #if canImport(Darwin)
      return false
    #else
      return platform_adopt_orphans() == 0
    #endif
  }

  /// Reaps what has ended, but for those that somebody else reaps.
  package static func reapEnded(sparing others: Set<ChildProcess>) {
    guard !others.isEmpty else {
      var status: Int32 = 0
      while retrying({ waitpid(-1, &status, WNOHANG) }) > 0 {}
      return
    }
    for process in all where !others.contains(process) { _ = process.reapIfEnded() }
  }

  /// The children this process has now, those included that have ended and were not reaped; none
  /// where the system does not tell.
  package static var all: [ChildProcess] {
    let threads = (try? Directory.list("/proc/self/task")) ?? []
    return threads.flatMap { thread in
      let list = try? File.read("/proc/self/task/\(thread)/children", limit: 1 << 20)
      return String(decoding: list ?? [], as: UTF8.self).split(separator: " ")
        .compactMap { Int32($0).map(ChildProcess.init) }
    }
  }
}

extension CompanionGroup {
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
    /// Sees to it that a program started by this one gets none but the first three and these.
    fileprivate static func closeOnExec(allBut kept: [Int32]) throws(SystemError) {
      for number in kept {
        let flags = try check("fcntl", "descriptor \(number)") { fcntl(number, F_GETFD) }
        try check("fcntl") { fcntl(number, F_SETFD, flags & ~FD_CLOEXEC) }
      }
      for number in try Directory.list("/proc/self/fd").compactMap({ Int32($0) })
      where number > 2 && !kept.contains(number) {
        // The one that listed them is closed by now.
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      }
    }
  }
#endif
