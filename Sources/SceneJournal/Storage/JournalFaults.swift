/// Injects faults for tests. The journal's thread calls `pass` at each point, where a test may end
/// the process.
package protocol JournalFaults: AnyObject, Sendable {
  func pass(_ point: JournalPoint)

  /// Whether the disk appears full: no file grows.
  var diskIsFull: Bool { get }
}

/// A point in the writing of a batch with records.
package enum JournalPoint: Sendable {
  case beforeAppend, afterAppend
  case beforeSync, afterSync
}
