/// The number of connections of each process in the trace.
struct ProcessConnections {
  private var counts: [Int64: Int] = [:]

  /// Nil for a process that does not occur in the trace.
  subscript(process: Int64) -> Int? { counts[process] }

  mutating func join(_ process: Int64) { counts[process, default: 0] += 1 }

  /// Returns whether this was the last connection.
  mutating func leave(_ process: Int64) -> Bool {
    counts[process, default: 1] -= 1
    return counts[process] == 0
  }
}
