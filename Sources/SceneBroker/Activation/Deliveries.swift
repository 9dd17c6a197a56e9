import SceneModel

/// Things to be handed to a connected scene between two steps, in the order in which they came.
struct Deliveries {
  private struct Delivery {
    let number: Int64
    /// Those not sent yet.
    var callbacks: [Callback]
    var isBegun = false
  }

  private var queue: [Delivery] = []
  /// How many of them may go out before the next step.
  private var readyCount = 0

  var isEmpty: Bool { queue.isEmpty }
  var count: Int { queue.count }

  func contains(_ number: Int64) -> Bool { queue.contains { $0.number == number } }

  mutating func append(_ callbacks: [Callback], _ number: Int64) {
    queue.append(Delivery(number: number, callbacks: callbacks))
  }

  mutating func prepend(_ callbacks: [Callback], _ number: Int64) {
    queue.insert(Delivery(number: number, callbacks: callbacks), at: 0)
  }

  /// A step was acknowledged: what is queued now may go out before the next one.
  mutating func makeReady() { readyCount = queue.count }

  /// What goes out now. At rest it is whatever is queued; on the way only what is ready, and the
  /// rest of what was begun. `completes` is the delivery's number with its last callback.
  mutating func next(atRest: Bool) -> (callback: Callback, completes: Int64?)? {
    guard let first = queue.first, atRest || readyCount > 0 || first.isBegun,
      let callback = first.callbacks.first
    else { return nil }
    if first.callbacks.count > 1 {
      queue[0].callbacks.removeFirst()
      queue[0].isBegun = true
      return (callback, nil)
    }
    queue.removeFirst()
    readyCount = max(0, readyCount - 1)
    return (callback, first.number)
  }
}
