import Testing

@testable import SceneJSON

struct DuplicateNameTests {
  @Test(
    "the error names the first name that occurs twice",
    arguments: [
      (#"{"a":1,"a":2}"#, "a"), (#"{"a":1,"b":2,"b":3,"a":4}"#, "b"),
      (#"{"a":1,"\u0061":2}"#, "a"), (#"{"\u0061":1,"a":2}"#, "a"),
      (#"{"\u0061":1,"\u0061":2}"#, "a"), (#"{"":1,"":2}"#, ""), (#"{"\n":1,"\u000a":2}"#, "\n"),
      (#"{"é":1,"\u00e9":2}"#, "é"), (#"{"a":{},"b":[],"a":{"c":1}}"#, "a"),
      (#"{"\ud83d\ude00":1,"😀":2}"#, "😀"),
    ])
  func finds(text: String, expected: String) throws {
    #expect(try parse(text).firstDuplicateName == expected)
  }

  @Test(
    "a text without duplicate names has no error",
    arguments: [
      "{}", #"{"a":1}"#, #"{"a":1,"A":2}"#, #"{"a":{"a":{"a":1}}}"#, #"{"a":1,"b":{"c":1,"c":2}}"#,
      #"{"a":1,"\\u0061":2}"#, #"{"ab":1,"ba":2,"a":3,"b":4,"":5}"#, "{\"e\u{301}\":1,\"é\":2}",
      #"["a","a"]"#, "1",
    ])
  func findsNone(text: String) throws {
    #expect(try parse(text).firstDuplicateName == nil)
  }

  @Test("a duplicate name is found at any position", arguments: [2, 3, 15, 16, 17, 18, 33, 200])
  func findsAmong(count: Int) throws {
    for spelling in ["name", #"n\u0061me"#] {
      for place in 1..<count {
        var names = (0..<count).map { "name\($0)" }
        #expect(try parse(object(names)).firstDuplicateName == nil)
        names[place] = spelling + "\((place * 7) % place)"
        let expected = "name\((place * 7) % place)"
        #expect(try parse(object(names)).firstDuplicateName == expected)
      }
    }
  }

  #if DEBUG
    @Test("the search for duplicates among 300,000 names is linear")
    func isLinear() throws {
      let count = 300_000
      let document = JSONDocument()
      try document.read(Array(object((0..<count).map { "name\($0)" }).utf8))
      #expect(document.root.count == count)
      let before = document.steps
      #expect(document.root.firstDuplicateName == nil)
      #expect(document.steps - before < count)
    }
  #endif

  private func object(_ names: [String]) -> String {
    "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
  }
}
