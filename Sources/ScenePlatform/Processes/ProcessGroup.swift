#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A process group.
package struct ProcessGroup: Hashable, Sendable {
  /// The process ID of the group leader.
  package let number: Int32

  package init(_ number: Int32) { self.number = number }

  /// The running members, sorted by process ID.
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

  /// Sends a signal to all members. The caller must not have reaped the leader, because the ID
  /// could then belong to another group.
  package func send(_ signal: Signal) {
    // The group may be empty.
    try? signal.send(to: -number)
  }

  /// The group of this process.
  package static var current: ProcessGroup { ProcessGroup(getpgrp()) }

  /// Whether the parent of this process is in another session, so that no shell would continue a
  /// stopped process.
  package static var hasNoShell: Bool { getsid(getppid()) != getsid(0) }

  /// Whether a process is a running member.
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
  /// The running children of a process; empty if the system does not report them.
  package static func children(of pid: Int32) -> [ProcessIdentity] {
    let processes = ((try? Directory.list("/proc")) ?? []).compactMap { Int32($0) }
    return processes.sorted().filter { parent(of: $0) == pid }.compactMap(ProcessIdentity.of)
  }

  /// The command line of a process, quoted for a shell; nil if the system does not report it.
  package static func command(of pid: Int32) -> String? {
    guard let bytes = try? File.read("/proc/\(pid)/cmdline", limit: 1 << 20) else { return nil }
    let words = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self).shellWord }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}
