import CScenePlatform

/// A process that this process started and must reap.
package struct ChildProcess: Hashable, Sendable {
  package let pid: Int32

  package init(pid: Int32) {
    self.pid = pid
  }

  /// Starts a program.
  ///
  /// `executable` is searched in `PATH` unless it contains a slash. The child gets its name, by
  /// default `executable`, and `arguments`. The environment is `environment`; without it, the child
  /// gets the variables of this process that `isInherited` selects, with the changes in `changing`;
  /// nil removes a variable.
  ///
  /// The child gets the descriptors 0, 1, 2 and those in `descriptors`, which maps the child's
  /// numbers to ours. `group` is the process group of the child; 0 makes a new group, which becomes
  /// the foreground group of `terminal`.
  ///
  /// No signal is blocked in the child. No signal is ignored, unless `keepsIgnored`: then the child
  /// ignores the signals that this process ignored at its start, as under `nohup`, except SIGPIPE
  /// and SIGXFSZ. On Linux the kernel sends `death` to the child when the thread that calls this
  /// method ends, even after SIGKILL. So call it on a thread that lives as long as this process. On
  /// Linux the child gets the soft limits of descriptors and of core files from the start of this
  /// process.
  package static func spawn(
    _ executable: String, _ arguments: [String] = [], name: String? = nil,
    environment: [String: String]? = nil, changing: [String: String?] = [:],
    inheriting isInherited: (String) -> Bool = { _ in true }, descriptors: [Int32: Int32] = [:],
    workingDirectory: String? = nil, group: Int32? = nil, terminal: Int32? = nil,
    death: Signal? = nil, keepsIgnored: Bool = false
  ) throws(SystemError) -> ChildProcess {
    let path = try Executable.find(executable)
    let variables =
      environment.map { CStringArray($0.map { "\($0)=\($1)" }.sorted()) }
      ?? CStringArray(
        keeping: { isInherited($0) && changing[$0] == nil },
        adding: changing.compactMapValues(\.self))
    let plan = SpawnPlan(
      descriptors: descriptors, workingDirectory: workingDirectory, group: group,
      terminal: terminal, death: death, keepsIgnored: keepsIgnored)
    return try start(path, [name ?? executable] + arguments, variables, plan)
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

/// The settings of a child.
struct SpawnPlan {
  let descriptors: [Int32: Int32]
  let workingDirectory: String?
  let group: Int32?
  let terminal: Int32?
  let death: Signal?
  let keepsIgnored: Bool

  /// The first number above 2 that is greater than all numbers of the child.
  var end: Int32 { max(3, (descriptors.keys.max() ?? 2) + 1) }
}

/// Duplicates that stay open until the child has started.
struct RaisedDescriptors: ~Copyable {
  private var numbers: [Int32] = []

  mutating func raise(_ number: Int32, from minimum: Int32) throws(SystemError) -> Int32 {
    let raised = try FileDescriptor.duplicating(number, from: minimum).release()
    numbers.append(raised)
    return raised
  }

  deinit {
    for number in numbers { FileDescriptor(adopting: number).close() }
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
