/// The progress of a suite.
package struct SuiteProgress: Sendable {
  /// Whether the numbers count runs, because each script runs several times.
  package var countsRuns: Bool
  package var endedCount: Int
  package var count: Int
  /// The file names of the scripts that failed.
  package var failed: [String]
}

extension SuiteProgress: CustomStringConvertible {
  /// For example "12 of 40 scripts, 1 failed: road-trip.scene".
  package var description: String {
    let ended = "\(endedCount) of \(count) \(countsRuns ? "runs" : "scripts")"
    if failed.isEmpty { return ended }
    return "\(ended), \(failed.count) failed: \(failed.joined(separator: ", "))"
  }
}
