/// The running timers and their deadlines.
struct Timers {
  private var deadlines: [ClientTimer: Int64] = [:]

  mutating func set(_ timer: ClientTimer, at deadline: Int64) { deadlines[timer] = deadline }

  var next: Int64? { deadlines.values.min() }

  /// Removes and returns the due timers, earliest first.
  mutating func takeDue(at now: Int64) -> [ClientTimer] {
    let due = deadlines.filter { $0.value <= now }.sorted { $0.value < $1.value }.map(\.key)
    for timer in due { deadlines[timer] = nil }
    return due
  }
}
