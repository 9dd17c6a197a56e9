import SceneModel

/// Finds the places in an observation where events are missing.
struct GapDetector {
  /// The position of the last event, or before the first one.
  private var position: EventPosition?
  /// Whether the position before the next event is known, or known to be missing.
  private var hasBegun = false

  /// Returns whether events are missing before this update, and the event of the update.
  mutating func take(_ update: ObservationUpdate) -> (isGap: Bool, event: EventPosted?) {
    switch update {
    case .gap:
      (position, hasBegun) = (nil, true)
      return (true, nil)
    case .event(let event):
      // A slow reader gets only the newest events, perhaps without the beginning.
      let isGap = position.map { !event.position.follows($0) } ?? !hasBegun
      (position, hasBegun) = (event.position, true)
      return (isGap, event)
    case .began(let start):
      // Each later position must follow the last one; otherwise events are missing.
      if !hasBegun { (position, hasBegun) = (start, true) }
      return (false, nil)
    case .refused, .ended: return (false, nil)
    }
  }
}

extension EventPosition {
  fileprivate func follows(_ other: EventPosition) -> Bool {
    origin == other.origin && number == other.number + 1
  }
}
