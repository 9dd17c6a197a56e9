import SceneTestSupport
import Testing

/// Each life-cycle rule has one unit test and at most one script.
struct LifeCycleRuleTests {
  private let rules: [[Cell]]

  init() throws {
    rules = try Page("Sources/Manual/Manual.docc/Feature-coverage.md").table("Life-cycle rules")
  }

  /// A title such as "F51, R18: a scene is reclaimed".
  private struct Title {
    let file: String
    let labels: [Substring]
    let text: Substring

    init?(_ title: Substring, in file: String) {
      guard let colon = title.firstRange(of: ": ") else { return nil }
      self.file = file
      labels = title[..<colon.lowerBound].split(separator: ", ")
      text = title[colon.upperBound...]
    }
  }

  @Test("the rules are numbered from R1, and no two are the same")
  func numbers() {
    #expect(rules.map(\.[0].text) == (1...rules.count).map { "R\($0)" })
    #expect(Set(rules.map(\.[1].text)).count == rules.count)
  }

  @Test("each rule is the title of one test, in the file that the table names")
  func unitTests() throws {
    let pattern = try Regex(#"@Test\(\s*"([^"]+)""#, as: (Substring, Substring).self)
    let titles = try SourceTree.files(under: "Tests", suffix: ".swift").flatMap { file in
      try SourceTree.text(file).matches(of: pattern).compactMap { Title($0.output.1, in: file) }
    }
    for rule in rules {
      let found = titles.filter { $0.labels.contains(rule[0].text[...]) }
      #expect(found.map(\.file) == [rule[2].name], "\(rule[0].text)")
      let words = rule[1].text.replacing("`", with: "")
      #expect(found.map { $0.text.lowercased() } == [words.lowercased()], "\(rule[0].text)")
    }
  }

  @Test("at most one section of a script shows a rule, in the file that the table names")
  func scripts() throws {
    let titles = try SourceTree.files(under: "Tests/Scripts", suffix: ".scene").flatMap { file in
      try SourceTree.text(file).split(separator: "\n").filter { $0.hasPrefix("# ") }
        .compactMap { Title($0.dropFirst(2), in: file) }
    }
    for rule in rules {
      let found = titles.filter { $0.labels.contains(rule[0].text[...]) }
      #expect(found.map(\.file) == rule[3].code, "\(rule[0].text)")
    }
  }
}
