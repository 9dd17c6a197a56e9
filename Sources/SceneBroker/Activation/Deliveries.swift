import SceneModel

/// Content for a connected scene, which it gets between two steps, oldest first.
struct Deliveries {
  private struct Delivery {
    let number: Int64
    /// The callbacks that the broker has not sent.
    var callbacks: [Callback]
    var isBegun = false
  }

  private var queue: [Delivery] = []
  /// The number of deliveries that may precede the next step.
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

  /// The client has acknowledged a step: the queued deliveries may precede the next one.
  mutating func makeReady() { readyCount = queue.count }

  /// The next callback: at rest, of any delivery; between two steps, of a delivery that is ready or
  /// has begun. `completes` is the number of the delivery, if this is its last callback.
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
