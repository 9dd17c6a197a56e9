import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A process that this one started, and has to reap.
package struct ChildProcess: Hashable, Sendable {
  package let pid: Int32

  package init(pid: Int32) {
    self.pid = pid
  }

  /// Starts a program.
  ///
  /// It begins with no signal blocked or ignored, and with no descriptor but 0, 1, 2 and those in
  /// `descriptors`, which maps the child's numbers to ours. `executable` is looked for in `PATH`
  /// unless it holds a slash; `arguments` do not repeat it. With a `group` it is of that group of
  /// processes, with 0 it leads one of its own.
  package static func spawn(
    _ executable: String, _ arguments: [String] = [], environment: [String: String]? = nil,
    descriptors: [Int32: Int32] = [:], workingDirectory: String? = nil,
    group: Int32? = nil
  ) throws(SystemError) -> ChildProcess {
    let path = try Executable.find(executable)
    let plan = try SpawnPlan(
      descriptors: descriptors, workingDirectory: workingDirectory, group: group)
    let variables = environment.map { environment in
      CStringArray(environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
    }
    return try spawn(path, CStringArray([executable] + arguments), variables, plan)
  }

  /// Starts the program at a path, which leads a process group of its own. Of this process's
  /// environment it has the variables that `inherits` names, and those in `adding`; its words begin
  /// with its name. `descriptors` maps its standard streams to ours; it has no other descriptor. No
  /// signal is blocked or ignored in it. On Linux it has the soft limit of descriptors that this
  /// process started with.
  package static func spawnApart(
    _ path: String, _ words: [String], inheriting inherits: (String) -> Bool,
    adding: [String: String], descriptors: [Int32: Int32], workingDirectory: String?
  ) throws(SystemError) -> ChildProcess {
    let variables = CStringArray(keeping: { inherits($0) && adding[$0] == nil }, adding: adding)
    #if canImport(Darwin)
      let plan = try SpawnPlan(
        descriptors: descriptors, workingDirectory: workingDirectory, group: 0)
      return try spawn(path, CStringArray(words), variables, plan)
    #else
      let plan = ForkPlan(
        descriptors: descriptors, workingDirectory: workingDirectory, leadsGroup: true,
        resetsSignals: true, closesOthers: true)
      return try spawn(path, CStringArray(words), variables, plan)
    #endif
  }

  private static func spawn(
    _ path: String, _ words: CStringArray, _ variables: CStringArray?, _ plan: borrowing SpawnPlan
  ) throws(SystemError) -> ChildProcess {
    var pid: pid_t = 0
    let code = withExtendedLifetime((words, variables)) {
      plan.withAttributes { actions, attributes in
        posix_spawn(
          &pid, path, actions, attributes, words.pointer,
          variables?.pointer ?? platform_environment())
      }
    }
    try checkCode("posix_spawn", path, code)
    return ChildProcess(pid: pid)
  }

  /// Waits for its end, and makes its number free for others.
  package func reap() throws(SystemError) -> ProcessEnd {
    let pid = self.pid
    while true {
      var status: Int32 = 0
      try check("waitpid") { waitpid(pid, &status, 0) }
      if let end = ProcessEnd(waitStatus: status) { return end }
    }
  }

  /// How it has ended; nil while it runs. It is left to be reaped: until then its number is its own,
  /// and so is that of the group it leads.
  package var endIfEnded: ProcessEnd? {
    var (isSignal, status): (Int32, Int32) = (0, 0)
    guard platform_peek_end(pid, &isSignal, &status) > 0 else { return nil }
    return isSignal != 0 ? .signalled(Signal(rawValue: status)) : .exited(status)
  }

  /// Makes its number free for others if it has ended; how it has.
  package func reapIfEnded() -> ProcessEnd? {
    let pid = self.pid
    var status: Int32 = 0
    guard retrying({ waitpid(pid, &status, WNOHANG) }) > 0 else { return nil }
    return ProcessEnd(waitStatus: status)
  }

  /// Returns when it has ended, but leaves it to be reaped: until then its number is its own.
  package func awaitEnd() throws(SystemError) {
    let pid = self.pid
    var information = siginfo_t()
    try check("waitid") { waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) }
  }

  /// Returns when it has been stopped by a signal, or has ended.
  package func awaitStop() throws(SystemError) {
    let pid = self.pid
    var information = siginfo_t()
    try check("waitid") {
      waitid(P_PID, id_t(pid), &information, WSTOPPED | WEXITED | WNOWAIT)
    }
  }

  /// What has become of it since this was asked last; nil while nothing has. One that has ended is
  /// left to be reaped.
  package func takeNews() throws(SystemError) -> News? {
    if try hasNews(of: WEXITED | WNOWAIT) { return .ended }
    return try hasNews(of: WSTOPPED) ? .stopped : nil
  }

  package enum News: Sendable {
    case stopped
    case ended
  }

  private func hasNews(of options: Int32) throws(SystemError) -> Bool {
    let pid = self.pid
    var information = siginfo_t()
    try check("waitid") { waitid(P_PID, id_t(pid), &information, options | WNOHANG) }
    return information.si_signo != 0
  }

  package func send(_ signal: Signal) throws(SystemError) {
    try signal.send(to: pid)
  }
}

/// Strings in the form that `exec` takes.
final class CStringArray {
  let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  /// With copies of others behind them.
  init(_ strings: [String], copying others: [UnsafeMutablePointer<CChar>] = []) {
    count = strings.count + others.count
    pointer = .allocate(capacity: count + 1)
    let copies = strings.map { strdup($0) } + others.map { strdup($0) }
    for (index, copy) in copies.enumerated() { (pointer + index).initialize(to: copy) }
    (pointer + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { free(pointer[index]) }
    pointer.deallocate()
  }
}

extension CStringArray {
  /// This process's environment as far as it is kept, and more. Nothing says that variables are text,
  /// so those that stay are handed on as they are.
  convenience init(keeping isKept: (String) -> Bool, adding: [String: String]) {
    var kept: [UnsafeMutablePointer<CChar>] = []
    var next = platform_environment()
    while let entry = next?.pointee {
      if isKept(String(String(cString: entry).prefix { $0 != "=" })) { kept.append(entry) }
      next = next?.advanced(by: 1)
    }
    self.init(adding.map { "\($0)=\($1)" }.sorted(), copying: kept)
  }
}
