extension MarkedProcesses {
  static func running<Mark>(
    _ mark: ([ContiguousArray<UInt8>.SubSequence]) -> Mark?
  ) -> [(process: ProcessIdentity, mark: Mark)] {
    let names = (try? Directory.list("/proc")) ?? []
    return names.compactMap { Int32($0) }.sorted().compactMap { pid in
      // Read the identity first, so that another process with the same ID is not mistaken for it.
      guard let process = ProcessIdentity.of(pid),
        let variables = try? File.read("/proc/\(pid)/environ", limit: 1 << 22),
        let mark = mark(variables.split(separator: 0)), process.isAlive
      else { return nil }
      return (process, mark)
    }
  }
}

extension ProcessIdentity {
  /// The file at an absolute path as the process sees it, for example in a container. Nil if there
  /// is none, or if the system does not report it.
  package func file(at path: String) -> FileIdentity? {
    guard path.hasPrefix("/") else { return nil }
    return try? FileStatus(of: "/proc/\(pid)/root\(path)").identity
  }
}
