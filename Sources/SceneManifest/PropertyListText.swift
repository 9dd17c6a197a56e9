/// The offset of a value in the text of a property list, and those of the values in it.
struct PropertyListPlace {
  let offset: Int
  var members: [String: PropertyListPlace] = [:]
  var elements: [PropertyListPlace] = []
}

/// Reads the text of a property list for its first flaw and for the places of its values. The
/// decoder of Foundation reports no places, and of a flaw a wrong line.
struct PropertyListText {
  struct Flaw: Error {
    let offset: Int
    let problem: String
  }

  private struct Element {
    let name: String
    let offset: Int
    /// Where its content begins.
    let content: Int
    /// How many values, and keys, have begun in it.
    var count = 0
    /// The key before the next value of a dictionary.
    var key = ""
    var place: PropertyListPlace

    init(name: String, offset: Int, content: Int) {
      self.name = name
      self.offset = offset
      self.content = content
      place = PropertyListPlace(offset: offset)
    }
  }

  private let text: ContiguousArray<UInt8>
  private var position = 0
  private var open: [Element] = []
  /// The place of the outermost value.
  private var root: PropertyListPlace?

  private init(_ text: ContiguousArray<UInt8>) { self.text = text }

  /// Nil where nothing is found, though it may be wrong all the same.
  static func flaw(in text: ContiguousArray<UInt8>) -> Flaw? {
    var reader = PropertyListText(text)
    do throws(Flaw) {
      try reader.read()
      return nil
    } catch {
      return error
    }
  }

  /// The places of all values. Nil if the text is not UTF-8, or is wrong.
  static func place(in text: ContiguousArray<UInt8>) -> PropertyListPlace? {
    var reader = PropertyListText(text)
    do throws(Flaw) {
      try reader.read()
      return reader.root
    } catch {
      return nil
    }
  }

  private mutating func read() throws(Flaw) {
    while let start = text[position...].firstIndex(of: UInt8(ascii: "<")) {
      try check(contentUpTo: start)
      let rest = text[start...]
      if rest.starts(with: "<!--".utf8) {
        try skip(from: start, behind: "-->", "this comment")
      } else if rest.starts(with: "<![CDATA[".utf8) {
        try skip(from: start, behind: "]]>", "this CDATA section")
      } else {
        try readTag(at: start)
      }
    }
    try check(contentUpTo: text.count)
    guard let element = open.last else { return }
    throw Flaw(offset: element.offset, problem: "<\(element.name)> is not closed")
  }

  private mutating func skip(
    from start: Int, behind end: StaticString, _ what: String
  ) throws(Flaw) {
    let end = Array(end.description.utf8)
    var place = start
    while !text[place...].starts(with: end) {
      guard place < text.count else {
        throw Flaw(offset: start, problem: "\(what) does not end")
      }
      place += 1
    }
    position = place + end.count
  }

  // MARK: - Tags

  private mutating func readTag(at start: Int) throws(Flaw) {
    guard let end = text[start...].firstIndex(of: UInt8(ascii: ">")) else {
      throw Flaw(offset: start, problem: "this tag does not end")
    }
    position = end + 1
    let tag = text[(start + 1)..<end]
    switch tag.first {
    case UInt8(ascii: "?"), UInt8(ascii: "!"): return
    case UInt8(ascii: "/"): try close(Self.name(tag.dropFirst()), at: start)
    default:
      try begin(Self.name(tag), at: start)
      if tag.last == UInt8(ascii: "/") { notePlace(of: open.removeLast(), end: start) }
    }
  }

  /// Without attributes, and without what closes the tag at once.
  private static func name(_ tag: ContiguousArray<UInt8>.SubSequence) -> String {
    let name = tag.prefix { !isSpace($0) && $0 != UInt8(ascii: "/") }
    return String(decoding: name.prefix(40), as: UTF8.self)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private static let containers: Set<String> = ["plist", "dict", "array"]
  private static let leaves: Set<String> = [
    "key", "string", "integer", "real", "true", "false", "date", "data",
  ]

  private mutating func begin(_ name: String, at start: Int) throws(Flaw) {
    guard Self.containers.contains(name) || Self.leaves.contains(name) else {
      throw Flaw(offset: start, problem: "a property list has no element <\(name)>")
    }
    if let outer = open.last {
      if Self.leaves.contains(outer.name) {
        throw Flaw(offset: start, problem: "expected </\(outer.name)>, found <\(name)>")
      }
      if outer.name == "dict", outer.count % 2 == 0, name != "key" {
        throw Flaw(offset: start, problem: "expected a <key> before this value, found <\(name)>")
      }
      open[open.count - 1].count += 1
    }
    open.append(Element(name: name, offset: start, content: position))
  }

  private mutating func close(_ name: String, at start: Int) throws(Flaw) {
    guard let element = open.popLast() else {
      throw Flaw(offset: start, problem: "</\(name)> closes nothing")
    }
    guard element.name == name else {
      throw Flaw(offset: start, problem: "expected </\(element.name)>, found </\(name)>")
    }
    if name == "dict", element.count % 2 == 1 {
      throw Flaw(offset: start, problem: "the last key before this has no value")
    }
    notePlace(of: element, end: start)
  }

  /// Adds the place of an element, whose content ends at `end`, to the element around it.
  private mutating func notePlace(of element: Element, end: Int) {
    guard let last = open.indices.last, open[last].name != "plist" else {
      if element.name != "plist" { root = element.place }
      return
    }
    if element.name == "key" {
      open[last].key = Self.key(text[min(element.content, end)..<end])
    } else if open[last].name == "dict" {
      open[last].place.members[open[last].key] = element.place
    } else {
      open[last].place.elements.append(element.place)
    }
  }

  private static func key(_ content: ContiguousArray<UInt8>.SubSequence) -> String {
    let text = String(decoding: content, as: UTF8.self)
    return text.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&quot;", with: "\"").replacing("&apos;", with: "'").replacing("&amp;", with: "&")
  }

  // MARK: - What stands between them

  private mutating func check(contentUpTo end: Int) throws(Flaw) {
    let content = text[position..<end]
    guard let element = open.last, Self.leaves.contains(element.name) else {
      let mark: Set<UInt8> = [0xEF, 0xBB, 0xBF]
      if let place = content.firstIndex(where: { !Self.isSpace($0) && !mark.contains($0) }) {
        throw Flaw(offset: place, problem: "expected an element, found text")
      }
      return
    }
    for place in content.indices where content[place] == UInt8(ascii: "&") {
      try checkReference(at: place, in: content)
    }
  }

  private static let references = ["amp", "lt", "gt", "quot", "apos"]

  private func checkReference(
    at place: Int, in content: ContiguousArray<UInt8>.SubSequence
  ) throws(Flaw) {
    let name = content[(place + 1)...].prefix { $0 != UInt8(ascii: ";") }
    let isWhole = name.endIndex < content.endIndex
    let word = String(decoding: name.prefix(12), as: UTF8.self)
    guard isWhole, word.hasPrefix("#") || Self.references.contains(word) else {
      throw Flaw(offset: place, problem: "& is written &amp; here")
    }
  }
}
