import SceneTestSupport
import Testing

/// Every feature that the documents about scenes name has a test that shows it, or a reason.
struct FeaturesPageTests {
  private static let path = "Sources/SceneClient/SceneClient.docc/Features.md"

  @Test("there is a row for each, in order, and for each story")
  func complete() throws {
    let page = try Page(Self.path)
    #expect(try page.table("Features").map(\.[0].text) == (1...100).map { "F\($0)" })
    #expect(try page.table("Stories").map(\.[0].text) == (1...6).map { "A\($0)" })
  }

  @Test("what is named as a test says that it shows the feature; what has none says why")
  func shown() throws {
    let files = try SourceTree.files(under: "Tests", suffix: "")
    let page = try Page(Self.path)
    for row in try page.table("Features") + page.table("Stories") {
      let (feature, tests) = (row[0].text, row[2].code)
      guard !tests.isEmpty else {
        #expect(row[2].text.split(separator: " ").count > 3, "\(feature) has no test and no reason")
        continue
      }
      for test in tests {
        guard let file = files.first(where: { $0 == test }) else {
          Issue.record("\(feature): there is no \(test)")
          continue
        }
        let text = try SourceTree.text(file)
        let names = text.matches(of: try Regex("\\b\(feature)\\b")).count
        #expect(names > 0, "\(file) does not say that it shows \(feature)")
      }
    }
  }

  @Test("a story is told with the broker killed, too")
  func killed() throws {
    for row in try Page(Self.path).table("Stories") {
      let texts = try row[2].code.map { try SourceTree.text($0) }
      #expect(
        texts.contains { $0.contains("broker kill") }, "\(row[0].text) is not told with a crash")
    }
  }
}
