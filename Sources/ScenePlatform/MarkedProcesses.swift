/// Processes that were started with a variable of a certain value in their environment, wherever
/// they have gone since. None are known where the system does not tell.
package struct MarkedProcesses: Sendable {
  private let assignment: [UInt8]

  package init(_ name: String, _ value: String) { assignment = Array("\(name)=\(value)".utf8) }

  /// Those of this user that run, in the order of their numbers.
  package var all: [ProcessIdentity] {
    #if canImport(Darwin)
      return []
    #else
      let names = (try? Directory.list("/proc")) ?? []
      return names.compactMap { Int32($0) }.sorted().compactMap { pid in
        // First who it is: another that has its number by now is not taken for it.
        guard let process = ProcessIdentity.of(pid), isMarked(pid), process.isAlive else {
          return nil
        }
        return process
      }
    #endif
  }

  private func isMarked(_ pid: Int32) -> Bool {
    guard let variables = try? File.read("/proc/\(pid)/environ", limit: 1 << 22) else {
      return false
    }
    return variables.split(separator: 0).contains { $0.elementsEqual(assignment) }
  }
}

extension ProcessIdentity {
  /// Kills it; another that has its number by now is left alone.
  package func end() {
    if isAlive { try? Signal.kill.send(to: pid) }
  }
}
