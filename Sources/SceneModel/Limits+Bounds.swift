extension Limits {
  /// What each limit may be set to. The upper bounds are far from anything useful; beyond them
  /// clocks, memory or the disk would not go along.
  package static let bounds: KeyValuePairs<String, ClosedRange<Int>> = [
    "frameBytes": 1024...largestFrame,
    "activityBytes": 0...largestFrame,
    "largeActivityBytes": 0...largestFrame,
    "optionsBytes": 0...largestFrame,
    "userInfoBytes": 0...largestFrame,
    "snapshotBytes": 0...largestFrame,
    "titleBytes": 16...largestFrame,
    "predicateBytes": 0...largestFrame,
    "eventBytes": 0...largestFrame,
    "topics": 0...million,
    "topicBytes": 0...1 << 30,
    "observations": 0...million,
    "scenesPerConnection": 1...million,
    "sessions": 1...10 * million,
    "storedBytes": 0...1 << 40,
    "discardBytes": 0...1 << 40,
    "pageSessions": 1...million,
    "holdersAskedAbout": 0...million,
    "requestsInFlight": 1...million,
    "deliveries": 1...million,
    "slowReaderBytes": 0...1 << 30,
    "slowReaderSeconds": 1...year,
    "outboxBytes": 0...1 << 30,
    "handshakeSeconds": 1...year,
    "frameSeconds": 1...year,
    "traceEntries": 1...10 * million,
    "connections": 0...million,
    "unsyncedBytes": 0...64 << 20,
    "totalBytes": 16 << 20...1 << 40,
  ]

  /// A frame's length has three bytes.
  private static let largestFrame = (1 << 24) - 1
  private static let million = 1_000_000
  private static let year = Int(Interval.year.seconds)
}
