/// The time until `scene` runs a program again that has failed.
package enum RetryTime {
  /// In seconds.
  private static let range = 0.001...3600

  package static let expectation = "0.001 to 3600 seconds"

  package static func contains(_ seconds: Double) -> Bool { range.contains(seconds) }

  /// The time as a word of a command line.
  package static func word(_ seconds: Double) -> String {
    seconds == 0 ? "0" : Interval(seconds: seconds)?.phrase.filter { $0 != " " } ?? "0"
  }
}
