import CScenePlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A process that this process started and must reap.
package struct ChildProcess: Hashable, Sendable {
  package let pid: Int32

  package init(pid: Int32) {
    self.pid = pid
  }

  /// Starts a program.
  ///
  /// No signal is blocked or ignored in the child. The child gets the descriptors 0, 1, 2 and those
  /// in `descriptors`, which maps the child's numbers to ours. `executable` is searched in `PATH`
  /// unless it contains a slash; `arguments` do not repeat it. `group` is the process group of the
  /// child; 0 makes a new group.
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

  /// Starts a program in a new process group. The child gets the variables of this process that
  /// `inherits` selects, and those in `adding`. `words` begins with the name of the program.
  /// `descriptors` maps the child's standard streams to ours; the child gets no other descriptor.
  /// No signal is blocked or ignored in the child. On Linux the child gets the soft limit of
  /// descriptors from the start of this process.
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
      return try spawn(path, words, variables, plan)
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

  /// Waits until the child ends, and reaps it.
  package func reap() throws(SystemError) -> ProcessEnd {
    let pid = self.pid
    while true {
      var status: Int32 = 0
      try check("waitpid") { waitpid(pid, &status, 0) }
      if let end = ProcessEnd(waitStatus: status) { return end }
    }
  }

  /// The end of the child; nil while the child runs. Does not reap the child, so the IDs of the
  /// process and of its group stay reserved.
  package var endIfEnded: ProcessEnd? {
    var (isSignal, status): (Int32, Int32) = (0, 0)
    guard platform_peek_end(pid, &isSignal, &status) > 0 else { return nil }
    return isSignal != 0 ? .signalled(Signal(rawValue: status)) : .exited(status)
  }

  /// Reaps the child if it has ended; nil while it runs.
  package func reapIfEnded() -> ProcessEnd? {
    let pid = self.pid
    var status: Int32 = 0
    guard retrying({ waitpid(pid, &status, WNOHANG) }) > 0 else { return nil }
    return ProcessEnd(waitStatus: status)
  }

  /// Waits until the child ends. Does not reap the child, so its process ID stays reserved.
  package func awaitEnd() throws(SystemError) {
    let pid = self.pid
    var information = siginfo_t()
    try check("waitid") { waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) }
  }

  /// The change of state since the last call; nil if there is none. Does not reap an ended child.
  package func takeStateChange() throws(SystemError) -> StateChange? {
    if try stateChange(of: WEXITED | WNOWAIT) != nil { return .ended }
    return try stateChange(of: WSTOPPED).map { .stopped(Signal(rawValue: $0)) }
  }

  package enum StateChange: Equatable, Sendable {
    case stopped(Signal)
    case ended
  }

  /// The status of the change: the exit status or the signal; nil if there is no change.
  private func stateChange(of options: Int32) throws(SystemError) -> Int32? {
    let pid = self.pid
    var information = siginfo_t()
    try check("waitid") { waitid(P_PID, id_t(pid), &information, options | WNOHANG) }
    return information.si_signo == 0 ? nil : platform_child_status(&information)
  }

  package func send(_ signal: Signal) throws(SystemError) {
    try signal.send(to: pid)
  }
}

/// An array of C strings for `exec`.
final class CStringArray {
  let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  /// Copies `strings`, then `others`.
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
  /// The variables of this process that `isKept` selects, and those in `adding`. Kept variables are
  /// copied as bytes, because they may be invalid UTF-8.
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
