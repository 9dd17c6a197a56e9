import SceneModel
import Testing

@testable import SceneClient

/// Predicates in Swift.
struct ScenePredicateTests {
  @Test("values have no meaning in the grammar")
  func values() throws {
    let name = #"a' OR TRUEPREDICATE OR self == 'b"#
    let text = #"self == "a' OR TRUEPREDICATE OR self == 'b""#
    #expect(ScenePredicate.equals(name).predicateFormat == text)
    #expect(ScenePredicate(format: "%K == %@", "self", name).predicateFormat == text)
    #expect(
      ScenePredicate(format: "self IN %@", ["a", "b\""]).predicateFormat
        == #"self IN {"a", "b\""}"#)
    let format = "self LIKE %@"
    #expect(try ScenePredicate(format: format, "*").predicateFormat == #"self LIKE "*""#)
  }

  @Test("conditions combine with the operators of Swift")
  func combinations() {
    let both: ScenePredicate = .beginsWith("note/") && !(.endsWith(".md") || .contains(" "))
    #expect(
      both.predicateFormat
        == #"self BEGINSWITH "note/" AND NOT (self ENDSWITH ".md" OR self CONTAINS " ")"#)
    let other = both && ScenePredicate(value: true)
    #expect(other.predicateFormat == both.predicateFormat + " AND TRUEPREDICATE")
  }

  @Test("any number of conditions combine from either side, and to the depth of the broker")
  func chains() throws {
    let parts = (0..<100).map { ScenePredicate.equals("\($0)") }
    let flat = parts.map(\.predicateFormat).joined(separator: " OR ")
    let none = ScenePredicate(value: false)
    #expect(parts.dropFirst().reduce(parts[0], ||).predicateFormat == flat)
    #expect(
      parts.reversed().reduce(none) { $1 || $0 }.predicateFormat == flat + " OR FALSEPREDICATE")
    let deep = try ScenePredicate(format: String(repeating: "NOT ", count: 32) + "self == 'a'")
    #expect(
      try ScenePredicate(format: (deep && none).predicateFormat).predicateFormat
        == deep.predicateFormat + " AND FALSEPREDICATE")
  }

  @Test("a value of MATCHES that is no regular expression never matches, or is an error")
  func invalidExpression() throws {
    #expect(ScenePredicate(format: "self MATCHES %@", "a(").predicateFormat == "FALSEPREDICATE")
    let format = "self MATCHES %@"
    let error = #expect(throws: SceneError.self) { try ScenePredicate(format: format, "a(") }
    #expect(error?.code == .invalidPredicate)
  }

  @Test("a wrong text of a variable is an error, and so is a value of another type")
  func errors() {
    let format = "self = %@"
    #expect(throws: SceneError.self) { try ScenePredicate(format: format) }
    #expect {
      try ScenePredicate(format: format, 1)
    } throws: {
      "\($0)".contains("expected a String or an array of String for %@, found Int")
    }
  }

  @Test("a wrong text in the source ends the program")
  func fault() async {
    await #expect(processExitsWith: .failure) { _ = ScenePredicate(format: "self == note") }
  }
}
