import SceneTestSupport
import Testing

/// The pages that have the counterpart of each name of UIKit and SwiftUI.
enum UIKitPage {
  /// The first cells of the table below a heading.
  static func names(
    below heading: String, in page: String = "Coming-from-UIKit"
  ) throws -> [String] {
    let page = try Repository.text("Sources/Manual/Manual.docc/\(page).md")
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex(of: "### \(heading)"), "no table \(heading)")
    let rows = lines[start...].drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
    return try rows.dropFirst(2).map { row in
      String(try #require(row.firstMatch(of: /^\| (.+?) \|/)).1)
    }
  }

  /// The methods and properties in the first cells of a table. A cell can name two.
  static func calls(below heading: String) throws -> [String] {
    try names(below: heading).flatMap { $0.split(separator: ", ").map(String.init) }
  }
}
