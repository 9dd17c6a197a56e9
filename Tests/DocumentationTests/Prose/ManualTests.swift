import SceneBroker
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// The rules for the README and for the pages of the manual.
struct ManualTests {
  private static let manual = "Sources/Manual/Manual.docc"

  private func pages() throws -> [Page] {
    try [Page("README.md")] + SourceTree.files(under: Self.manual, suffix: ".md").map(Page.init)
  }

  @Test("the README has at most 150 lines and the version, and its commands come early")
  func readme() throws {
    let lines = try Page("README.md").lines.dropLast()
    #expect(lines.count <= 150)
    #expect(lines.contains { $0.hasPrefix("SceneBroker \(productVersion) ") })
    for command in ["scripts/demo", "swift test"] {
      #expect(lines.prefix(60).contains { $0.hasPrefix(command) }, "\(command)")
    }
    for (index, line) in lines.enumerated() where !line.hasPrefix("|") {
      #expect(line.count <= 120, "README.md:\(index + 1)")
    }
  }

  @Test("README and manual have no process substitution, which only some shells have")
  func shells() throws {
    for page in try pages() {
      for (index, line) in page.lines.enumerated() {
        // A type in angle brackets can begin with a parenthesis, as in Rust.
        #expect(!line.contains(#/(^|\s)<\(/#), "\(page.path):\(index + 1)")
      }
    }
  }

  @Test("a link in the README leads to a file")
  func links() throws {
    let readme = try Page("README.md")
    let targets = readme.prose.flatMap { line in
      line.text.matches(of: /\]\(([^)]+)\)/).map { String($0.1) }
    }
    for target in targets { #expect(SourceTree.exists(target), "\(target)") }
  }

  @Test("the page about the life cycle has every step of a scene and every reason")
  func lifeCycle() throws {
    let page = try Page.manual("The-life-cycle")
    for row in try page.table("States and callbacks") {
      let from = try #require(ActivationState(rawValue: row[0].name))
      let to = try #require(ActivationState(rawValue: row[1].name))
      #expect(LifecycleTransitions.next(from: from, toward: to)?.rawValue == row[2].name)
    }
    let names = try SourceTree.text("Sources/SceneModel/Protocol/OpenName.swift")
      .matches(of: /static let \w+ = (\w+)\(rawValue: "(\w+)"\)/)
    for (heading, type) in [
      ("The reason for a connection", "ConnectReason"),
      ("The end of a scene", "DisconnectReason"),
    ] {
      let declared = names.filter { $0.1 == type }.map { String($0.2) }
      #expect(Set(try page.table(heading).map(\.[0].name)) == Set(declared), "\(heading)")
    }
  }
}
