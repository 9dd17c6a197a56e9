/// Processes that were started with a variable of a certain value in their environment, wherever
/// they have gone since. None are known where the system does not tell.
package struct MarkedProcesses: Sendable {
  private let assignment: [UInt8]

  package init(_ name: String, _ value: String) { assignment = Array("\(name)=\(value)".utf8) }

  /// Those of this user that run, in the order of their numbers.
  package var all: [ProcessIdentity] {
    Self.running { entries in
      entries.contains { $0.elementsEqual(assignment) } ? () : nil
    }.map(\.process)
  }

  /// The processes of this user that run and were started with all of these variables, whatever their
  /// values, in the order of their numbers.
  package static func having(
    _ names: String...
  ) -> [(process: ProcessIdentity, values: [String: String])] {
    running { entries in
      var values: [String: String] = [:]
      for entry in entries {
        for name in names where values[name] == nil && entry.starts(with: "\(name)=".utf8) {
          values[name] = String(decoding: entry.dropFirst(name.utf8.count + 1), as: UTF8.self)
        }
      }
      return values.count == names.count ? values : nil
    }.map { (process: $0, values: $1) }
  }

  private static func running<Mark>(
    _ mark: ([ContiguousArray<UInt8>.SubSequence]) -> Mark?
  ) -> [(process: ProcessIdentity, mark: Mark)] {
    #if canImport(Darwin)
      return []
    #else
      let names = (try? Directory.list("/proc")) ?? []
      return names.compactMap { Int32($0) }.sorted().compactMap { pid in
        // First who it is: another that has its number by now is not taken for it.
        guard let process = ProcessIdentity.of(pid),
          let variables = try? File.read("/proc/\(pid)/environ", limit: 1 << 22),
          let mark = mark(variables.split(separator: 0)), process.isAlive
        else { return nil }
        return (process, mark)
      }
    #endif
  }
}

extension ProcessIdentity {
  /// Sends a signal; another process that has this number by now is left alone.
  package func send(_ signal: Signal) {
    if isAlive { try? signal.send(to: pid) }
  }

  /// Kills it; another that has its number by now is left alone.
  package func end() { send(.kill) }

  /// What the process finds at an absolute path, which may be another file than this process finds
  /// there; nil where there is none, or the system does not tell.
  package func file(at path: String) -> FileIdentity? {
    #if canImport(Darwin)
      return nil
    #else
      guard path.hasPrefix("/") else { return nil }
      return try? FileStatus(of: "/proc/\(pid)/root\(path)").identity
    #endif
  }
}
