import ScenePlatform
import SceneTestSupport

/// A page of documentation in the source tree.
struct Page {
  /// The path of the page in the package.
  let path: String
  let lines: [String]

  init(_ path: String) throws {
    self.path = path
    let bytes = try File.read("\(SourceTree.root)/\(path)", limit: 1 << 20)
    lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  static func manual(_ name: String) throws -> Page {
    try Page("Sources/Manual/Manual.docc/\(name).md")
  }
}

/// The files of the package.
enum SourceTree {
  /// The directory four levels above this file.
  static let root: String = {
    var path = #filePath
    for _ in 0..<4 { path = Directory.parent(of: path) ?? path }
    return path
  }()

  static func exists(_ path: String) -> Bool { File.exists("\(root)/\(path)") }

  /// The sorted paths of all files below a directory that have a suffix.
  static func files(under directory: String, suffix: String) throws -> [String] {
    var found: [String] = []
    for name in try Directory.list("\(root)/\(directory)").sorted() where !name.hasPrefix(".") {
      let path = "\(directory)/\(name)"
      let kind = try FileStatus(of: "\(root)/\(path)", followLinks: false).kind
      if kind == .directory {
        found += try files(under: path, suffix: suffix)
      } else if name.hasSuffix(suffix) {
        found.append(path)
      }
    }
    return found
  }

  static func text(_ path: String) throws -> String {
    String(decoding: try File.read("\(root)/\(path)", limit: 1 << 22), as: UTF8.self)
  }

  /// All pages of the documentation.
  static func pages() throws -> [Page] {
    try files(under: "Sources", suffix: ".md").map(Page.init)
  }
}

extension Page {
  /// A block of the page that is shown unchanged.
  struct Block {
    let language: String
    /// The number of the block's first line.
    let line: Int
    let lines: [String]

    var text: String { lines.joined(separator: "\n") }
  }

  var blocks: [Block] {
    var blocks: [Block] = []
    var open: (language: String, start: Int)?
    for (index, line) in lines.enumerated() where line.hasPrefix("```") {
      if let begun = open {
        blocks.append(
          Block(
            language: begun.language, line: begun.start + 1,
            lines: Array(lines[begun.start..<index])))
        open = nil
      } else {
        open = (String(line.dropFirst(3)), index + 1)
      }
    }
    return blocks
  }

  /// The whole text of the page, with a space for each line end.
  var text: String {
    lines.map { $0.trimmingPrefix(while: { $0 == " " }) }.joined(separator: " ")
  }

  /// The lines of prose, without blocks.
  var prose: [(number: Int, text: String)] {
    var isInBlock = false
    var found: [(Int, String)] = []
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("```") {
        isInBlock.toggle()
      } else if !isInBlock {
        found.append((index + 1, line))
      }
    }
    return found
  }

  /// The rows of the first table below a heading, without the table's head.
  func table(_ heading: String) throws -> [[Cell]] {
    guard let start = lines.firstIndex(where: { $0.drop(while: { $0 == "#" }) == " \(heading)" })
    else { throw Unmet("\(path) has no heading \(heading)") }
    let rows = lines[(start + 1)...].drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
    guard rows.count > 2 else { throw Unmet("\(path) has no table below \(heading)") }
    return rows.dropFirst(2).map { row in
      row.split(separator: " | ", omittingEmptySubsequences: false).map { Cell(String($0)) }
    }
  }
}

/// A cell of a table.
struct Cell {
  let text: String

  init(_ text: String) {
    var text = text[...]
    if text.hasPrefix("| ") { text = text.dropFirst(2) }
    if text.hasSuffix(" |") { text = text.dropLast(2) }
    self.text = String(text)
  }

  /// The code spans of the cell, without `{}`, which means an empty object.
  var code: [String] { codeSpans(in: text).filter { $0 != "{}" } }

  /// The only code span of the cell.
  var name: String { code.first ?? "" }
}

/// The code spans of a line, in single backticks, or in double backticks for a link to a symbol.
func codeSpans(in line: String) -> [String] {
  var spans: [String] = []
  for (index, part) in line.replacing("``", with: "`").split(
    separator: "`", omittingEmptySubsequences: false
  ).enumerated() where index % 2 == 1 {
    spans.append(String(part))
  }
  return spans
}
