extension ProcessGroup {
  /// The running members, sorted by process ID.
  package var members: [Int32] {
    let names = (try? Directory.list("/proc")) ?? []
    return names.compactMap { Int32($0) }.sorted().filter(contains)
  }

  /// Whether a process is a running member.
  package func contains(_ process: Int32) -> Bool {
    ProcessIdentity.record(of: process).map { $0.group == number && !$0.isExiting }
      ?? false
  }
}
