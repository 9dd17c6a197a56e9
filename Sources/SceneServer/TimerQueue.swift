import SceneBroker
import SceneModel

/// What is to happen at a time of the machine's clock.
enum EdgeTimer: Hashable {
  case broker(BrokerTimer)
  /// The first request has not come.
  case greeting(ConnectionIdentifier)
  /// A frame was begun and is not whole.
  case frame(ConnectionIdentifier)
  /// Too much is free to leave and not taken.
  case slowReader(ConnectionIdentifier)
  /// Memory that is not used any more is returned to the system.
  case returnMemory
  /// The kernel had no memory for output.
  case resend(ConnectionIdentifier)
  /// A connection that is closed once its last words are taken.
  case linger(ConnectionIdentifier)
}

/// Timers by the monotonic time at which they are due. Setting one again moves it; those set for
/// the same time come in the order they were set.
struct TimerQueue<Timer: Hashable & SendableMetatype> {
  struct Entry {
    private(set) var due: Int64
    let number: UInt64
    let timer: Timer

    mutating func prolong(by time: Int64) { due += min(time, .max - due) }
  }

  /// A binary heap. Entries whose timer was moved or cancelled stay until they come up.
  private(set) var heap: [Entry] = []
  private var current: [Timer: Entry] = [:]
  private var lastNumber: UInt64 = 0

  mutating func set(_ timer: Timer, at due: Int64) {
    lastNumber += 1
    let entry = Entry(due: due, number: lastNumber, timer: timer)
    current[timer] = entry
    heap.append(entry)
    siftUp()
    if heap.count > 64, heap.count > 4 * current.count { rebuild() }
  }

  /// When it is due; nil if it is not set.
  func due(_ timer: Timer) -> Int64? { current[timer]?.due }

  mutating func cancel(_ timer: Timer) { current[timer] = nil }

  /// Moves all of them. None overtakes another, so the heap stays one.
  mutating func prolong(by time: Int64) {
    for index in heap.indices { heap[index].prolong(by: time) }
    current = current.mapValues { entry in
      var entry = entry
      entry.prolong(by: time)
      return entry
    }
  }

  /// When the next one is due.
  mutating func nextDue() -> Int64? {
    dropStale()
    return heap.first?.due
  }

  /// Takes out the next timer that is due.
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
