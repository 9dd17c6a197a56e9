import ScenePlatform
import SceneTestSupport
import Testing

/// The rules for every page.
struct PageTests {
  @Test("the tests find the pages")
  func found() throws {
    let paths = try SourceTree.pages().map(\.path)
    for module in ["SceneWire", "SceneServer", "SceneJournal"] {
      #expect(paths.contains("Sources/\(module)/\(module).docc/\(module).md"))
    }
  }

  @Test("a page has at most 400 lines, and its lines at most 120 columns")
  func size() throws {
    for page in try SourceTree.pages() {
      #expect(page.lines.count <= 400, "\(page.path) has \(page.lines.count) lines")
      for (index, line) in page.lines.enumerated() where !line.hasPrefix("|") {
        #expect(line.count <= 120, "\(page.path):\(index + 1) has \(line.count) characters")
        #expect(line.last != " ", "\(page.path):\(index + 1) ends with a space")
      }
    }
  }

  @Test("a page begins with a title and one sentence, and then has an overview")
  func beginning() throws {
    for page in try SourceTree.pages() where page.lines.count > 4 {
      #expect(page.lines[0].hasPrefix("# "), "\(page.path)")
      #expect(page.lines[2].hasSuffix(".") || page.lines[3].hasSuffix("."), "\(page.path)")
      #expect(page.lines.contains("## Overview"), "\(page.path)")
    }
  }

  @Test("a link leads to a page of the same catalogue")
  func links() throws {
    for page in try SourceTree.pages() {
      let directory = try #require(Directory.parent(of: page.path))
      for (number, line) in page.prose {
        for match in line.matches(of: /<doc:([A-Za-z-]+)>/) {
          #expect(
            SourceTree.exists("\(directory)/\(match.1).md"), "\(page.path):\(number): \(match.0)")
        }
        for match in line.matches(of: /\]\(([^)]+)\)/) {
          #expect(
            SourceTree.exists("\(directory)/\(match.1)"), "\(page.path):\(number): \(match.0)")
        }
      }
    }
  }

  @Test("a page of a catalogue is listed by its landing page")
  func listed() throws {
    for page in try SourceTree.pages() {
      let directory = try #require(Directory.parent(of: page.path))
      let name = page.path.dropFirst(directory.count + 1).dropLast(3)
      let module = directory.split(separator: "/")[1]
      guard name != module else { continue }
      let landing = try Page("\(directory)/\(module).md")
      let title = page.lines[0].dropFirst(2)
      let items = ["- <doc:\(name)>", "- [\(title)](\(name).md)"]
      #expect(landing.lines.contains { items.contains($0) }, "\(page.path)")
    }
  }

  @Test("every row of a table has as many cells as its head")
  func tables() throws {
    for page in try SourceTree.pages() {
      var head: Int?
      for (number, line) in page.prose {
        guard line.hasPrefix("|") else {
          head = nil
          continue
        }
        let cells = line.split(separator: "|", omittingEmptySubsequences: false).count
        #expect(cells == head ?? cells, "\(page.path):\(number)")
        head = cells
      }
    }
  }
}
