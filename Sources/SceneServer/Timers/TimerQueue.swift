import SceneModel

/// Timers of one clock, ordered by the time at which they expire. Timers with the same time expire
/// in the order in which they were set.
struct TimerQueue<Timer: Hashable & SendableMetatype> {
  struct Entry {
    private(set) var due: Int64
    let number: UInt64
    let timer: Timer

    mutating func prolong(by time: Int64) { due += min(time, .max - due) }
  }

  /// A binary heap. The entry of a timer that was moved or canceled stays until it would be the
  /// first: the first entry is always current, so that the loop finds the next time without a
  /// look-up.
  private(set) var heap: [Entry] = []
  private var current: [Timer: Entry] = [:]
  private var lastNumber: UInt64 = 0

  /// Sets the timer, or moves it.
  mutating func set(_ timer: Timer, at due: Int64) {
    lastNumber += 1
    let entry = Entry(due: due, number: lastNumber, timer: timer)
    let moved = current.updateValue(entry, forKey: timer)
    heap.append(entry)
    siftUp()
    dropStale(after: moved)
    if heap.count > 64, heap.count > 4 * current.count { rebuild() }
  }

  /// Sets the timer unless it expires later than that already.
  mutating func extend(_ timer: Timer, to due: Int64) {
    if due > self.due(timer) ?? .min { set(timer, at: due) }
  }

  /// When the timer expires; nil if it is not set.
  func due(_ timer: Timer) -> Int64? { current[timer]?.due }

  /// The timers that are set.
  var timers: [Timer] { Array(current.keys) }

  mutating func cancel(_ timer: Timer) { dropStale(after: current.removeValue(forKey: timer)) }

  /// Moves all timers. Their order does not change, so the heap stays a heap.
  mutating func prolong(by time: Int64) {
    for index in heap.indices { heap[index].prolong(by: time) }
    current = current.mapValues { entry in
      var entry = entry
      entry.prolong(by: time)
      return entry
    }
  }

  /// When the next timer expires.
  var nextDue: Int64? { heap.first?.due }

  /// Removes and returns the next timer that has expired.
  mutating func takeDue(at now: Int64) -> Timer? {
    guard let first = heap.first, first.due <= now else { return nil }
    cancel(first.timer)
    return first.timer
  }

  /// This entry is not current any more.
  private mutating func dropStale(after entry: Entry?) {
    guard let entry, entry.number == heap.first?.number else { return }
    repeat { removeFirst() } while heap.first.map { !isCurrent($0) } ?? false
  }

  private func isCurrent(_ entry: Entry) -> Bool { current[entry.timer]?.number == entry.number }

  mutating func returnUnusedCapacity() {
    rebuild()
    current.returnUnusedCapacity()
  }

  private mutating func rebuild() {
    let live = heap.filter(isCurrent)
    heap = live.sorted(by: Self.precedes)
  }

  private static func precedes(_ one: Entry, _ other: Entry) -> Bool {
    (one.due, one.number) < (other.due, other.number)
  }

  private mutating func removeFirst() {
    guard let last = heap.popLast(), !heap.isEmpty else { return }
    heap[0] = last
    siftDown()
  }

  private mutating func siftUp() {
    let entry = heap[heap.count - 1]
    var place = heap.count - 1
    while place > 0 {
      let parent = (place - 1) / 2
      guard Self.precedes(entry, heap[parent]) else { break }
      heap[place] = heap[parent]
      place = parent
    }
    heap[place] = entry
  }

  private mutating func siftDown() {
    let entry = heap[0]
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, Self.precedes(heap[child + 1], heap[child]) { child += 1 }
      guard Self.precedes(heap[child], entry) else { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = entry
  }
}
