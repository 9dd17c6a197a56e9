import SceneCommandLine

/// The offset of a value in the text of a property list, and the offsets of its content.
struct PropertyListLocation {
  let offset: Int
  var members: [String: PropertyListLocation] = [:]
  var elements: [PropertyListLocation] = []
}

/// Finds the first syntax error and the offsets of the values in an XML property list. Foundation's
/// decoder reports no offsets and wrong line numbers.
struct PropertyListText {
  private struct Element {
    let name: String
    /// The offset of the content.
    let content: Int
    /// The number of values and keys so far.
    var count = 0
    /// The last key of a dictionary.
    var key = ""
    var place: PropertyListLocation
  }

  private let text: ContiguousArray<UInt8>
  private var position = 0
  private var open: [Element] = []
  /// The location of the outermost value.
  private var root: PropertyListLocation?

  private init(_ text: ContiguousArray<UInt8>) { self.text = text }

  /// The locations of all values; nil without a value. The text may be wrong in other ways.
  static func place(
    in text: ContiguousArray<UInt8>
  ) throws(ManifestDiagnostic) -> PropertyListLocation? {
    // Foundation's decoder ends the program at an integer of other bytes.
    guard String(validating: text, as: UTF8.self) != nil else {
      throw ManifestDiagnostic("", "the text is not UTF-8", at: IllFormedText(in: text).offset)
    }
    var reader = PropertyListText(text)
    try reader.read()
    return reader.root
  }

  private mutating func read() throws(ManifestDiagnostic) {
    while let start = text[position...].firstIndex(of: UInt8(ascii: "<")) {
      try check(contentUpTo: start)
      let rest = text[start...]
      if rest.starts(with: "<!--".utf8) {
        try skip(from: start, behind: "-->", "comment")
      } else if rest.starts(with: "<![CDATA[".utf8) {
        try skip(from: start, behind: "]]>", "CDATA section")
      } else {
        try readTag(at: start)
      }
    }
    try check(contentUpTo: text.count)
    guard let element = open.last else { return }
    throw ManifestDiagnostic("", "<\(element.name)> is not closed", at: element.place.offset)
  }

  private mutating func skip(
    from start: Int, behind end: String, _ what: String
  ) throws(ManifestDiagnostic) {
    guard let end = text[start...].firstRange(of: end.utf8) else {
      throw ManifestDiagnostic("", "unclosed \(what)", at: start)
    }
    position = end.upperBound
  }

  // MARK: - Tags

  private mutating func readTag(at start: Int) throws(ManifestDiagnostic) {
    guard let end = text[start...].firstIndex(of: UInt8(ascii: ">")) else {
      throw ManifestDiagnostic("", "unclosed tag", at: start)
    }
    position = end + 1
    let tag = text[(start + 1)..<end]
    switch tag.first {
    case UInt8(ascii: "?"), UInt8(ascii: "!"): return
    case UInt8(ascii: "/"): try close(Self.name(tag.dropFirst()), at: start)
    default:
      try begin(Self.name(tag), at: start)
      if tag.last == UInt8(ascii: "/") {
        notePlace(of: open.removeLast(), end: start)
      } else if open.count > PropertyListShape.maximumDepth {
        throw ManifestDiagnostic(
          "", "values are nested more than \(PropertyListShape.maximumDepth) levels deep")
      }
    }
  }

  /// The name without attributes and a closing slash.
  private static func name(_ tag: ContiguousArray<UInt8>.SubSequence) -> String {
    let name = tag.prefix { !isSpace($0) && $0 != UInt8(ascii: "/") }
    return String(decoding: name.prefix(40), as: UTF8.self)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private static let containers: Set<String> = ["plist", "dict", "array"]
  private static let leaves: Set<String> = [
    "key", "string", "integer", "real", "true", "false", "date", "data",
  ]

  private mutating func begin(_ name: String, at start: Int) throws(ManifestDiagnostic) {
    guard Self.containers.contains(name) || Self.leaves.contains(name) else {
      throw ManifestDiagnostic("", "a property list has no element <\(name)>", at: start)
    }
    if let outer = open.last {
      if Self.leaves.contains(outer.name) {
        throw ManifestDiagnostic("", "expected </\(outer.name)>, found <\(name)>", at: start)
      }
      if outer.name == "dict", outer.count % 2 == 0, name != "key" {
        throw ManifestDiagnostic(
          "", "expected a <key> before this value, found <\(name)>", at: start)
      }
      open[open.count - 1].count += 1
    }
    open.append(
      Element(name: name, content: position, place: PropertyListLocation(offset: start)))
  }

  private mutating func close(_ name: String, at start: Int) throws(ManifestDiagnostic) {
    guard let element = open.popLast() else {
      throw ManifestDiagnostic("", "</\(name)> has no opening tag", at: start)
    }
    guard element.name == name else {
      throw ManifestDiagnostic("", "expected </\(element.name)>, found </\(name)>", at: start)
    }
    if name == "dict", element.count % 2 == 1 {
      throw ManifestDiagnostic("", "the last key before this has no value", at: start)
    }
    notePlace(of: element, end: start)
  }

  /// Adds the location of an element, whose content ends at `end`, to its parent.
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

  // MARK: - Text

  private mutating func check(contentUpTo end: Int) throws(ManifestDiagnostic) {
    let content = text[position..<end]
    guard let element = open.last, Self.leaves.contains(element.name) else {
      let mark: Set<UInt8> = [0xEF, 0xBB, 0xBF]
      if let place = content.firstIndex(where: { !Self.isSpace($0) && !mark.contains($0) }) {
        throw ManifestDiagnostic("", "expected an element, found text", at: place)
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
  ) throws(ManifestDiagnostic) {
    let name = content[(place + 1)...].prefix { $0 != UInt8(ascii: ";") }
    let isWhole = name.endIndex < content.endIndex
    let word = String(decoding: name.prefix(12), as: UTF8.self)
    guard isWhole, word.hasPrefix("#") || Self.references.contains(word) else {
      throw ManifestDiagnostic("", "expected &amp;, found &", at: place)
    }
  }
}
