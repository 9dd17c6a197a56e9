/// Warns once while requests wait for an application delegate that is not connected: their clients
/// get no reply until it connects.
struct MissingDelegateWarning {
  private var isShown = false

  /// The warning while this many requests wait; nil without one, or if the log has it already.
  mutating func text(waitingRequests count: Int) -> String? {
    defer { isShown = count > 0 }
    guard count > 0, !isShown else { return nil }
    let waiting = count == 1 ? "1 request waits" : "\(count) requests wait"
    return "\(waiting) for the application delegate, "
      + "which the manifest requires and which is not connected; start the delegate, or run: "
      + "scenectl delegate"
  }
}
