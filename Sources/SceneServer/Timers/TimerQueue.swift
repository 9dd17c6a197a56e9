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

  /// A binary heap. The entry of a timer that was moved or canceled stays until it is the first.
  private(set) var heap: [Entry] = []
  private var current: [Timer: Entry] = [:]
  private var lastNumber: UInt64 = 0

  /// Sets the timer, or moves it.
  mutating func set(_ timer: Timer, at due: Int64) {
    lastNumber += 1
    let entry = Entry(due: due, number: lastNumber, timer: timer)
    current[timer] = entry
    heap.append(entry)
    siftUp()
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

  mutating func cancel(_ timer: Timer) { current[timer] = nil }

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
  mutating func nextDue() -> Int64? {
    dropStale()
    return heap.first?.due
  }

  /// Removes and returns the next timer that has expired.
  mutating func takeDue(at now: Int64) -> Timer? {
    while let first = heap.first, first.due <= now {
      removeFirst()
      guard current[first.timer]?.number == first.number else { continue }
      current[first.timer] = nil
      return first.timer
    }
    return nil
  }

  private mutating func dropStale() {
    while let first = heap.first, current[first.timer]?.number != first.number { removeFirst() }
  }

  mutating func returnUnusedCapacity() {
    rebuild()
    current.returnUnusedCapacity()
  }

  private mutating func rebuild() {
    let live = heap.filter { current[$0.timer]?.number == $0.number }
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
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard Self.precedes(heap[child], heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && Self.precedes(heap[child], heap[least]) {
        least = child
      }
      guard least != parent else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
