import SceneTestSupport
import Testing

/// Every feature of UIKit scenes has a test, or a reason why it has none.
struct FeaturesPageTests {
  private static let path = "Sources/Manual/Manual.docc/Feature-coverage.md"

  @Test("the table has every feature and every story, in order")
  func complete() throws {
    let page = try Page(Self.path)
    #expect(try page.table("Features").map(\.[0].text) == (1...100).map { "F\($0)" })
    #expect(try page.table("Stories").map(\.[0].text) == (1...6).map { "A\($0)" })
  }

  @Test("each test names the feature that it shows, and a feature without a test has a reason")
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
          Issue.record("\(feature): \(test) does not exist")
          continue
        }
        let text = try SourceTree.text(file)
        let names = text.matches(of: try Regex("\\b\(feature)\\b")).count
        #expect(names > 0, "\(file) does not name \(feature)")
      }
    }
  }

  @Test("a script that shows a feature has a section with the feature's number")
  func sections() throws {
    let page = try Page(Self.path)
    for row in try page.table("Features") + page.table("Stories") {
      for script in row[2].code where script.hasSuffix(".scene") {
        #expect(
          try !sections(of: script, about: row[0].text).isEmpty,
          "no section of \(script) has \(row[0].text) in its title")
      }
    }
  }

  @Test("each story has a section that kills the broker and checks the result")
  func killed() throws {
    for row in try Page(Self.path).table("Stories") {
      let told = try row[2].code.flatMap { try sections(of: $0, about: row[0].text) }
      let killed = told.filter { section in
        guard let death = section.firstIndex(where: { $0.hasPrefix("broker kill") }) else {
          return false
        }
        let rest = section[death...]
        guard let start = rest.firstIndex(where: { $0.hasPrefix("broker start") }) else {
          return false
        }
        return rest[start...].contains { $0.hasPrefix("trace ") || $0.hasPrefix("expect ") }
      }
      #expect(!killed.isEmpty, "\(row[0].text) has no section with a crash")
    }
  }

  /// The sections of a script whose title contains a label, as lines with the title.
  private func sections(of script: String, about label: String) throws -> [[Substring]] {
    var sections: [[Substring]] = []
    var isInTitle = false
    for line in try SourceTree.text(script).split(separator: "\n") {
      if line.hasPrefix("-- ") { break }
      let isTitle = line.hasPrefix("#")
      if isTitle && !isInTitle || sections.isEmpty { sections.append([]) }
      sections[sections.count - 1].append(line)
      isInTitle = isTitle
    }
    let word = try Regex("\\b\(label)\\b")
    return sections.filter { section in
      section.prefix { $0.hasPrefix("#") }.contains { $0.contains(word) }
    }
  }
}
