/// How many connections each process has, as far as the story tells of their coming.
struct ProcessConnections {
  private var counts: [Int64: Int] = [:]

  /// Nil of a process of which the story has told nothing.
  subscript(process: Int64) -> Int? { counts[process] }

  mutating func join(_ process: Int64) { counts[process, default: 0] += 1 }

  /// Whether that was the last one.
  mutating func leave(_ process: Int64) -> Bool {
    counts[process, default: 1] -= 1
    return counts[process] == 0
  }
}
