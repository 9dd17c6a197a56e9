/// A process group.
package struct ProcessGroup: Hashable, Sendable {
  /// The process ID of the group leader.
  package let number: Int32

  package init(_ number: Int32) { self.number = number }

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
}

extension ProcessIdentity {
  /// The children of a process, also ended ones that are not reaped; empty without `/proc`.
  package static func children(of pid: Int32) -> [ProcessIdentity] {
    childNumbers(of: pid).compactMap(of)
  }

  /// Whether the system lists the children of a process: not a kernel without CONFIG_PROC_CHILDREN.
  package static var listsChildren: Bool { File.exists("/proc/thread-self/children") }

  static func childNumbers(of pid: Int32) -> [Int32] {
    guard listsChildren else { return processes(withParent: pid) }
    let threads = (try? Directory.list("/proc/\(pid)/task")) ?? []
    return threads.flatMap { thread in
      let list = try? File.read("/proc/\(pid)/task/\(thread)/children", limit: 1 << 20)
      return String(decoding: list ?? [], as: UTF8.self).split(separator: " ")
        .compactMap { Int32($0) }
    }
  }

  static func processes(withParent pid: Int32) -> [Int32] {
    ((try? Directory.list("/proc")) ?? []).compactMap { Int32($0) }.filter { parent(of: $0) == pid }
  }

  /// The command line of a process, quoted for a shell; nil if the system does not report it.
  package static func command(of pid: Int32) -> String? {
    guard let bytes = try? File.read("/proc/\(pid)/cmdline", limit: 1 << 20) else { return nil }
    let words = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self).shellWord }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}
