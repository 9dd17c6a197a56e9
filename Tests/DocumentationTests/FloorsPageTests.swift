import SceneTestSupport
import Testing

/// The floors as the page tells them are those that are kept.
struct FloorsPageTests {
  private let page: Page
  /// The test that keeps the floors, by its source.
  private let keeper: String

  init() throws {
    page = try Page("Sources/SceneServer/SceneServer.docc/Floors.md")
    keeper = try SourceTree.text("Tests/StructureTests/FloorTests.swift")
  }

  /// The modules of each floor, as the test has them.
  private var floors: [(floor: String, modules: [String])] {
    keeper.matches(of: /\((\d), \[((?:"[\w-]+"(?:, )?)+)\]\)/).map { match in
      (String(match.1), names(in: match.2))
    }
  }

  private func names(in list: Substring) -> [String] {
    list.split(separator: "\"").map(String.init).filter { $0.contains(where: \.isLetter) }
  }

  @Test("every module is drawn on its floor, and has a word said of it there")
  func modules() throws {
    #expect(floors.count >= 5, "the floors were not found")
    for (floor, modules) in floors {
      let drawn = page.lines.first { $0.hasPrefix(" \(floor)   ") } ?? ""
      let section = try section("## Floor \(floor)")
      let said = section.matches(of: /\*\*`([\w-]+)`\*\*/).map { String($0.1) }
      #expect(Set(said) == Set(modules), "floor \(floor)")
      for module in modules { #expect(drawn.contains(module), "floor \(floor)") }
    }
  }

  @Test("every module of the sources is on the page")
  func sources() throws {
    let said = Set(page.text.matches(of: /\*\*`([\w-]+)`\*\*/).map { String($0.1) })
    for file in try SourceTree.files(under: "Sources", suffix: ".swift") {
      let module = String(file.split(separator: "/")[1])
      #expect(said.contains(module), "\(module)")
    }
  }

  @Test("what may be imported from the toolchain is what the test allows")
  func systemModules() throws {
    var allowed: [String: Set<String>] = [:]
    for match in keeper.matches(of: /"(\w+)": \[((?:"\w+"(?:, )?)+)\]/) {
      allowed[String(match.1)] = Set(names(in: match.2))
    }
    var listed: [String: Set<String>] = [:]
    for row in try page.table("Overview") {
      for module in row[0].code { listed[module] = Set(row[1].code) }
    }
    #expect(!allowed.isEmpty)
    #expect(listed == allowed)
  }

  private func section(_ heading: String) throws -> String {
    let start = try #require(page.lines.firstIndex(of: heading), "\(heading)")
    return page.lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }.joined(separator: " ")
  }
}
