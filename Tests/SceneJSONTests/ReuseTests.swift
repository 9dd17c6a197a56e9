import Testing

@testable import SceneJSON

struct ReuseTests {
  private let text = Array(
    (#"{"id":1,"list":["# + Array(repeating: "[1,2]", count: 2000).joined(separator: ",") + "]}")
      .utf8)

  @Test("a new document is null")
  func startsWithNull() {
    let document = JSONDocument()
    #expect(document.root.isNull)
    #expect(document.root.raw == .null)
  }

  @Test("a document is null after a failed read")
  func isNullAfterError() throws {
    let document = JSONDocument()
    try document.read(Array("[1,2]".utf8))
    #expect(throws: JSONError.self) { try document.read(Array("[1,2".utf8)) }
    #expect(document.root.isNull)
    #expect(document.root.raw == .null)
    #expect(document.root.count == 0)
  }

  @Test("a second read allocates nothing and keeps nothing of the earlier text")
  func reusesMemory() throws {
    let document = JSONDocument()
    try document.read(text)
    let capacity = document.capacity
    for _ in 0..<3 {
      try document.read(text)
      #expect(document.root["list"]?.count == 2000)
      try document.read(Array("\"ab".utf8) + [0x22])
      #expect(document.root.string == "ab")
      #expect(document.capacity == capacity)
    }
  }

  @Test("a shorter text after a long one is read correctly")
  func doesNotReadOldBytes() throws {
    let document = JSONDocument()
    for length in 0..<40 {
      try document.read(Array(#""1234567890123456789012345678901234567890""#.utf8))
      let cut = Array(("\"" + String(repeating: "x", count: length)).utf8)
      #expect(throws: JSONError(.unexpectedEnd, at: length + 1)) { try document.read(cut) }
    }
  }

  @Test("memory above the limit is freed")
  func trims() throws {
    let document = JSONDocument()
    let small = document.capacity
    try document.read(text)
    let large = document.capacity
    #expect(large > text.count)

    document.trim(above: large)
    #expect(document.capacity == large)
    #expect(document.root["id"]?.integer == 1)

    document.trim(above: large - 1)
    #expect(document.capacity == small)
    #expect(document.root.isNull)

    try document.read(text)
    #expect(document.root["id"]?.integer == 1)
  }

  @Test("bytes are read from any collection")
  func readsCollections() throws {
    let document = JSONDocument()
    try document.read("[1]".utf8)
    #expect(document.root.count == 1)
    try document.read(Array("x[1,2]x".utf8)[1..<6])
    #expect(document.root.count == 2)
    try document.read(ContiguousArray("[1,2,3]".utf8).span)
    #expect(document.root.count == 3)
  }

  @Test("a view keeps its document alive")
  func viewsKeepDocuments() throws {
    let value = try parse(#"{"a":"text"}"#)["a"]
    #expect(value?.string == "text")
  }

  @Test("two documents do not share anything")
  func documentsAreSeparate() throws {
    let first = try parse("[1]")
    let second = try parse("[2]")
    #expect(first.raw.description == "[1]")
    #expect(second.raw.description == "[2]")
  }

  @Test("a read during an access traps")
  func doesNotReadWhileLent() async {
    await #expect(processExitsWith: .failure) {
      let document = JSONDocument()
      try document.read(Array(#""text""#.utf8))
      try document.root.withUTF8 { _ in try document.read(Array("1".utf8)) }
    }
  }

  @Test("an access to a value of an earlier text traps")
  func refusesStaleViews() async {
    await #expect(processExitsWith: .failure) {
      let document = JSONDocument()
      try document.read(Array("[[1,2,3],4]".utf8))
      let last = try #require(document.root.elements.map { $0 }.last)
      try document.read(Array("1".utf8))
      print(last.kind)
    }
  }

  #if DEBUG
    @Test("in a debug build, an access to a value of a deleted document traps")
    func refusesOrphans() async {
      await #expect(processExitsWith: .failure) {
        var document: JSONDocument? = JSONDocument()
        let root = try #require(document?.root)
        document = nil
        print(root.kind)
      }
    }
  #endif
}
