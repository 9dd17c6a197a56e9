import SceneJSON
import Testing

struct ValueTests {
  @Test(
    "a value has its kind",
    arguments: [
      ("null", .null), ("true", .bool), ("false", .bool), ("0", .number), ("\"\"", .string),
      ("[]", .array), ("{}", .object),
    ] as [(String, JSONKind)])
  func kinds(text: String, expected: JSONKind) throws {
    let value = try parse(text)
    #expect(value.kind == expected)
    #expect(value.isNull == (expected == .null))
    #expect(value.bool == (expected == .bool ? text == "true" : nil))
    #expect((value.string == nil) == (expected != .string))
    #expect((value.double == nil) == (expected != .number))
  }

  @Test(
    "values are the same if a reader cannot tell them apart",
    arguments: [
      ("null", "null", true), ("null", "0", false), ("true", "true", true),
      ("true", "false", false), (#""a""#, #""\u0061""#, true), (#""a""#, #""b""#, false),
      ("1", "1.0", true), ("1", "2", false), ("1e400", "1e400", true), ("0.5", "5e-1", true),
      ("[1,[2]]", "[1, [2]]", true), ("[1,2]", "[2,1]", false), ("[1]", "[1,1]", false),
      (#"{"a":1,"b":[]}"#, #"{"b":[],"a":1}"#, true), (#"{"a":1}"#, #"{"b":1}"#, false),
      (#"{"a":1}"#, #"{"a":2}"#, false), ("{}", #"{"a":1}"#, false),
    ])
  func sameness(one: String, other: String, expected: Bool) throws {
    let (one, other) = try (parse(one), parse(other))
    #expect(one.isSameValue(as: other) == expected)
    #expect(other.isSameValue(as: one) == expected)
  }

  @Test("elements and members are visited in order")
  func order() throws {
    let array = try parse(#"[1,[2,[3]],{"a":4},"5"]"#)
    #expect(array.count == 4)
    #expect(array.elements.map(\.raw.description) == ["1", "[2,[3]]", #"{"a":4}"#, #""5""#])
    #expect(array.members.isEmpty)
    #expect(try parse(#"["a",1]"#)["a"] == nil)

    let object = try parse(#"{"b":{"x":1,"y":[2]},"a":3,"b":4,"":[]}"#)
    #expect(object.count == 4)
    #expect(object.members.map(\.name.string) == ["b", "a", "b", ""])
    #expect(object.members.map(\.value.raw.description) == [#"{"x":1,"y":[2]}"#, "3", "4", "[]"])
    #expect(object.elements.isEmpty)
  }

  @Test("scalars have no elements and no members", arguments: ["null", "true", "1", "\"[]\""])
  func scalars(text: String) throws {
    let value = try parse("[\(text),2]").elements.first { _ in true }
    #expect(value?.count == 0)
    #expect(value?.elements.isEmpty == true)
    #expect(value?.members.isEmpty == true)
    #expect(value?["a"] == nil)
    #expect(value?.firstDuplicateName == nil)
  }

  @Test("a member is found by its name, escaped or not")
  func lookup() throws {
    let root = try parse(
      #"{"params":{"id":7,"deep":[{"id":8}]},"i\u0064":3,"m\u00e9thode":"x","id2":4,"":5}"#)
    #expect(root["id"]?.integer == 3)
    #expect(root["id2"]?.integer == 4)
    #expect(root[""]?.integer == 5)
    #expect(root["params"]?["id"]?.integer == 7)
    #expect(root["deep"] == nil)
    #expect(root["i"] == nil)
    #expect(root[#"i\u0064"#] == nil)
    #expect(root.member(named: "méthode")?.string == "x")
    #expect(root.member(named: "id")?.integer == 3)
    #expect(root.member(named: "nothing") == nil)
    #expect(root["params"]?.member(named: "") == nil)
  }

  @Test("the first of several equal names is found")
  func firstOfEqualNames() throws {
    #expect(try parse(#"{"a":1,"\u0061":2,"a":3}"#)["a"]?.integer == 1)
    #expect(try parse(#"{"\u0061":2,"a":3}"#)["a"]?.integer == 2)
  }

  @Test("the raw bytes are exactly those of the value")
  func raw() throws {
    let text = #" { "a" : [ 1 , "\u00e9" ] , "b" : -0.0e+1 } "#
    let root = try parse(text)
    #expect(root.raw.description == #"{ "a" : [ 1 , "\u00e9" ] , "b" : -0.0e+1 }"#)
    #expect(root["a"]?.raw.description == #"[ 1 , "\u00e9" ]"#)
    #expect(root["b"]?.raw.description == "-0.0e+1")
    let bytes = Array(text.utf8)
    for value in [root, root["a"], root["b"]].compactMap({ $0 }) {
      #expect(Array(bytes[value.rawRange]) == Array(value.raw.bytes))
      #expect(value.withRawBytes { $0.count } == value.raw.bytes.count)
    }
  }
}

extension Sequence {
  fileprivate var isEmpty: Bool { first { _ in true } == nil }
}
