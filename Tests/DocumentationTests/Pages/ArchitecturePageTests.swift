import SceneTestSupport
import Testing

/// The page names the layers and imports that the structure tests check.
struct ArchitecturePageTests {
  private let page: Page
  /// The source of the structure tests.
  private let source: String

  init() throws {
    page = try Page.manual("Architecture")
    source = try SourceTree.text("Tests/StructureTests/LayerTests.swift")
  }

  /// The modules of each layer, as the structure tests list them.
  private var layers: [(layer: String, modules: [String])] {
    source.matches(of: /\((\d), \[((?:"[\w-]+"(?:, )?)+)\]\)/).map { match in
      (String(match.1), names(in: match.2))
    }
  }

  private func names(in list: Substring) -> [String] {
    list.split(separator: "\"").map(String.init).filter { $0.contains(where: \.isLetter) }
  }

  @Test("the drawing and the section of a layer have each of its modules")
  func modules() throws {
    #expect(layers.count >= 5, "the layers were not found")
    for (layer, modules) in layers {
      let drawn = page.lines.first { $0.hasPrefix(" \(layer)   ") } ?? ""
      let section = try section("## Layer \(layer)")
      let described = section.matches(of: /\*\*`([\w-]+)`\*\*/).map { String($0.1) }
      #expect(Set(described) == Set(modules), "layer \(layer)")
      for module in modules { #expect(drawn.contains(module), "layer \(layer)") }
    }
  }

  @Test("the page describes each module of the sources")
  func sources() throws {
    let described = Set(page.text.matches(of: /\*\*`([\w-]+)`\*\*/).map { String($0.1) })
    for file in try SourceTree.files(under: "Sources", suffix: ".swift") {
      let module = String(file.split(separator: "/")[1])
      #expect(described.contains(module), "\(module)")
    }
  }

  @Test("the table of toolchain imports is the list of the structure tests")
  func systemModules() throws {
    var allowed: [String: Set<String>] = [:]
    for match in source.matches(of: /"(\w+)": \[((?:"\w+"(?:, )?)+)\]/) {
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
