#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Processes that belong together: one that leads them, and whoever was started into the group or by
/// one of it.
package struct ProcessGroup: Hashable, Sendable {
  /// That of the process that leads it.
  package let number: Int32

  package init(_ number: Int32) { self.number = number }

  /// Those that run, in the order of their numbers.
  package var members: [Int32] {
    #if canImport(Darwin)
      var name: [Int32] = [CTL_KERN, KERN_PROC, KERN_PROC_PGRP, number]
      let stride = MemoryLayout<kinfo_proc>.stride
      var size = 0
      guard sysctl(&name, 4, nil, &size, nil, 0) == 0 else { return [] }
      var list = [kinfo_proc](repeating: kinfo_proc(), count: size / stride + 16)
      size = list.count * stride
      guard sysctl(&name, 4, &list, &size, nil, 0) == 0 else { return [] }
      return list[..<(size / stride)].map(\.kp_proc.p_pid).sorted().filter(contains)
    #else
      let names = (try? Directory.list("/proc")) ?? []
      return names.compactMap { Int32($0) }.sorted().filter(contains)
    #endif
  }

  /// Sends a signal to all of them. Its number must be known not to be another's by now: while its
  /// leader is not reaped it is not.
  package func send(_ signal: Signal) {
    // There may be none left.
    try? signal.send(to: -number)
  }

  /// Kills one of those that run; somebody else who has its number by now is left alone.
  package func end(_ member: Int32) {
    if contains(member) { try? Signal.kill.send(to: member) }
  }

  /// That of this process.
  package static var current: ProcessGroup { ProcessGroup(getpgrp()) }

  /// Whether whoever started this process is in another session, so that nobody of this one continues
  /// what is stopped here.
  package static var hasNoShell: Bool { getsid(getppid()) != getsid(0) }

  /// Whether a process is in the group and runs.
  package func contains(_ process: Int32) -> Bool {
    #if canImport(Darwin)
      getpgid(process) == number && !ProcessIdentity.isEnding(process)
    #else
      ProcessIdentity.record(of: process).map { $0.group == number && !$0.isExiting }
        ?? false
    #endif
  }
}

extension ProcessIdentity {
  /// Those whom a process has started, or has taken over since, and who run; none where the system does
  /// not tell.
  package static func children(of pid: Int32) -> [ProcessIdentity] {
    let processes = ((try? Directory.list("/proc")) ?? []).compactMap { Int32($0) }
    return processes.sorted().filter { parent(of: $0) == pid }.compactMap(ProcessIdentity.of)
  }

  /// The command line of a process, as one could type it; nil where the system does not tell.
  package static func command(of pid: Int32) -> String? {
    guard let bytes = try? File.read("/proc/\(pid)/cmdline", limit: 1 << 20) else { return nil }
    let words = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self).shellWord }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}
