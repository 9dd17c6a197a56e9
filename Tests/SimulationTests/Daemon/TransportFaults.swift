import ScenePlatform

/// Makes calls of the daemon on its connections fail, by their number.
final class TransportFaults {
  enum Call: Hashable {
    case send, receive
  }

  enum Effect: Hashable {
    case failed(ErrorCode)
    /// The socket takes only so many bytes.
    case short(Int)
  }

  private var fault: (call: Call, effect: Effect, numbers: ClosedRange<Int>)?
  private(set) var calls: [Call: Int] = [:]
  /// The number of calls that have failed.
  private(set) var count = 0

  func set(_ effect: Effect, of call: Call, at numbers: ClosedRange<Int>) {
    fault = (call, effect, numbers)
  }

  /// Ends the faults. Returns whether there were any.
  func clear() -> Bool {
    defer { fault = nil }
    return fault != nil
  }

  /// Counts a call. Returns nil if it succeeds.
  func next(_ call: Call) -> Effect? {
    calls[call, default: 0] += 1
    guard let fault, fault.call == call, fault.numbers.contains(calls[call] ?? 0) else {
      return nil
    }
    count += 1
    return fault.effect
  }
}
