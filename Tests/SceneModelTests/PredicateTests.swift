import SceneJSON
import Testing

@testable import SceneModel

/// Single activation conditions.
struct PredicateTests {
  private func problem(_ text: String) -> String? {
    do throws(MemberError) {
      _ = try ActivationPredicate(text)
      return nil
    } catch {
      return error.description
    }
  }

  @Test(
    "F59: each form matches its texts, and no others",
    arguments: [
      ("TRUEPREDICATE", ["", "a"], []),
      ("FALSEPREDICATE", [], ["", "a"]),
      (#"self == "note/1""#, ["note/1"], ["note/12", "note", "NOTE/1", ""]),
      ("SELF = 'note/1'", ["note/1"], ["note/2"]),
      ("self != 'a'", ["b", ""], ["a"]),
      ("self <> 'a'", ["b"], ["a"]),
      ("self BEGINSWITH 'note/'", ["note/", "note/1"], ["a note/", "note"]),
      ("self endswith '.md'", ["a.md", ".md"], ["a.md ", "md"]),
      ("self CONTAINS 'aab'", ["aab", "aaab", "xaabx"], ["aa", "abab"]),
      ("self CONTAINS ''", ["", "a"], []),
      ("self IN {'a', \"b\"}", ["a", "b"], ["ab", "c", ""]),
      ("self IN {}", [], ["", "a"]),
      ("self LIKE 'note/*'", ["note/", "note/1/2"], ["note"]),
      ("self LIKE '*.md'", ["a.md", ".md", ".md.md"], ["a.mdx"]),
      ("self LIKE '?'", ["a", "é", "😀"], ["", "ab"]),
      ("self LIKE '*é?b'", ["éxb", "aéé😀b"], ["éb"]),
      (#"self LIKE 'a\\*\\?b'"#, ["a*?b"], ["axxb"]),
      (#"self LIKE 'a\\'"#, [#"a\"#], ["a"]),
      ("self LIKE '*a*b*'", ["ab", "xaxbx"], ["ba"]),
      ("self ==[c] 'Straße'", ["STRAßE", "straße"], ["strasse"]),
      ("self LIKE[c] 'N*'", ["Note", "note"], ["a"]),
      ("self IN[C] {'A'}", ["a"], ["b"]),
      ("self ==[d] 'Müller'", ["Muller", "Mu\u{308}ller"], ["muller"]),
      ("self CONTAINS[cd] 'É'", ["le café", "ECOLE"], ["caf"]),
      ("self LIKE[DC] 'n?*ve'", ["Naïve"], ["nve"]),
      ("self == nil", [], ["", "nil"]),
      ("self != NULL AND self != 'a'", ["b"], ["a"]),
      ("self MATCHES 'note/[0-9]+'", ["note/1", "note/42"], ["note/", "a note/1", "note/1a"]),
      (#"self MATCHES '(a|bc)*\\.md'"#, [".md", "abca.md"], ["b.md", "amd"]),
      (#"self MATCHES '\\d{2,3}|\\w\\s?x'"#, ["12", "٣٤", "123", "é x"], ["1", "1234", "- x"]),
      ("self MATCHES '[^a-c]{2}|^.?$'", ["", "a", "xy"], ["ab", "xa"]),
      (#"self MATCHES 'a\\b.*\\B.'"#, ["a bc"], ["ab", "a-"]),
      ("self MATCHES[c] '[A-C]+ß'", ["abCß", "Aẞ"], ["d"]),
      ("self MATCHES[d] 'café?'", ["caf", "cafe", "café"], ["CAFE"]),
      ("self MATCHES[c] '[ẞ]'", ["ß", "ẞ"], ["s", "ss"]),
      ("self MATCHES[c] 'İ+'", ["İ", "i\u{307}i\u{307}"], ["i", "I"]),
      ("self ==[c] 'Σ'", ["σ", "Σ"], ["ς"]),
      ("self MATCHES[c] 'Σ'", ["σ", "Σ"], ["ς"]),
      ("self MATCHES[c] '[^ς]'", ["σ", "Σ"], ["ς"]),
      ("self LIKE[d] '?글'", ["한글", "하글"], ["ㅎㅏㄴ글"]),
      ("self CONTAINS[d] '하'", ["하나"], ["한"]),
      ("self MATCHES[d] '.é'", ["한e"], ["한"]),
      ("self MATCHES ''", [""], ["a"]),
      (#"self == "\u00e9\uD83D\uDE00\/\b\f""#, ["é😀/\u{8}\u{c}"], []),
      ("NOT self == 'a'", ["b"], ["a"]),
      ("!self == 'a' && self != 'b'", ["c"], ["a", "b"]),
      ("self == 'a' OR self == 'b' AND FALSEPREDICATE", ["a"], ["b"]),
      ("(self == 'a' || self == 'b') and not (self == 'b')", ["a"], ["b"]),
      (#"self == "\"\\\n\r\t""#, ["\"\\\n\r\t"], [""]),
      (" self==\n'a' ", ["a"], ["b"]),
    ])
  func meaning(text: String, matching: [String], others: [String]) throws {
    let predicate = try ActivationPredicate(text)
    for identifier in matching { #expect(predicate.matches(identifier), "\(identifier)") }
    for identifier in others { #expect(!predicate.matches(identifier), "\(identifier)") }
    let again = try ActivationPredicate(predicate.description)
    #expect(again == predicate)
    #expect(again.description == predicate.description)
  }

  @Test(
    "F59: an error states the position and what was expected",
    arguments: [
      ("", "at character 1: expected self, TRUEPREDICATE, FALSEPREDICATE, NOT or (, found the end"),
      (
        "name == 'a'",
        "at character 1: expected self, TRUEPREDICATE, FALSEPREDICATE, NOT or (, found name"
      ),
      (
        "self BETWEEN 'a'",
        "at character 6: expected ==, !=, BEGINSWITH, ENDSWITH, CONTAINS, LIKE, MATCHES or IN, "
          + "found BETWEEN"
      ),
      ("self == a", "at character 9: expected a text in quotes, found a"),
      (
        "self == 'a' AND",
        "at character 16: expected self, TRUEPREDICATE, FALSEPREDICATE, NOT or (, found the end"
      ),
      ("(self == 'a'", "at character 13: expected AND, OR or ), found the end"),
      ("self == 'a')", "at character 12: expected AND, OR or the end, found )"),
      ("self == 'a' 'b'", "at character 13: expected AND, OR or the end, found 'b'"),
      ("(TRUEPREDICATE self", "at character 16: expected AND, OR or ), found self"),
      (
        "self == 'é😀",
        "at character 9: expected ' at the end of the text that begins here"
      ),
      (
        #"self == 'a\d'"#,
        #"at character 11: expected \\, \", \', or an escape of JSON; to mean a backslash, write two"#
      ),
      (
        "self ==[cl] 'a'",
        "at character 8: expected [c], [d] or [cd], which ignore case and diacritics, found [cl]"
      ),
      ("self ==[c 'a'", "at character 8: expected a text in quotes, found [c"),
      ("self LIKE nil", "at character 11: expected a text in quotes, found nil"),
      ("self == %@", "at character 9: expected a text in quotes, found %@"),
      (
        #"self == '\ud800'"#,
        #"at character 10: expected \u with the four hexadecimal digits of a character"#
      ),
      (
        #"self == '\u041'"#,
        #"at character 10: expected \u with the four hexadecimal digits of a character"#
      ),
      (
        "self MATCHES 'a(b'",
        "at character 14: invalid regular expression: group without end at character 4; add a )"
      ),
      ("self IN 'a'", "at character 9: expected { and texts in quotes, found 'a'"),
      ("self IN {'a' 'b'}", "at character 14: expected , or }, found 'b'"),
      ("self IN {'a',}", "at character 14: expected a text in quotes, found }"),
      ("self IN {a}", "at character 10: expected a text in quotes or }, found a"),
      ("self == '\u{0}' ; ", "at character 13: expected AND, OR or the end, found ;"),
    ])
  func flaws(text: String, expected: String) { #expect(problem(text) == expected) }

  @Test(
    "a regular expression that needs backtracking, or is none, is refused",
    arguments: [
      (
        #"(a)\1"#,
        #"unknown escape at character 5; use \d, \w, \s, \b, \n, \r, \t or a sign"#
      ),
      ("a(?=b)", "unsupported group at character 4; write (?: or ("),
      ("a**", "second repetition at character 3; enclose the first one in (?: and )"),
      ("+", "nothing to repeat at character 1; put a part before or escape the character"),
      ("a)", "unmatched ) at character 2; remove or escape the )"),
      ("[b-a]", "invalid range at character 5; write the lower character first"),
      ("[a", "invalid set at character 3; end the set with ], and escape [ and &"),
      ("[[a]]", "invalid set at character 2; end the set with ], and escape [ and &"),
      ("a{2,1}", "invalid repetition at character 7; write {n}, {n,} or {n,m}"),
      ("a{,2}", "invalid repetition at character 3; write {n}, {n,} or {n,m}"),
      ("(a{900}){3}", "more than 2000 steps in the predicate at character"),
      ("[a-cx0-9]{700}", "more than 2000 steps in the predicate at character"),
      ("a{99999999999999999999}", "invalid repetition at character 23; write {n}, {n,} or {n,m}"),
      (#"a\"#, "unexpected end at character 3; add a character after the backslash"),
      (
        String(repeating: "(", count: 40),
        "more than 32 nested groups at character 33; use fewer groups"
      ),
    ])
  func irregular(pattern: String, expected: String) {
    do {
      _ = try RegularExpression(pattern, [])
      Issue.record("accepted")
    } catch {
      #expect(
        error.description.hasPrefix("invalid regular expression: " + expected), "\(error)")
    }
  }

  @Test("all regular expressions of a predicate have one budget of steps")
  func budget() throws {
    let part = "self MATCHES 'a{1000}'"
    let predicate = try ActivationPredicate("\(part) OR \(part)")
    #expect(predicate.matches(String(repeating: "a", count: 1000)))
    #expect(
      problem("\(part) OR \(part) OR self MATCHES 'b'")?
        .contains("more than 2000 steps in the predicate at character 2; use") == true)
  }

  @Test("the capitals of a character are all characters with this lower case")
  func capitals() {
    for value in 0...UInt32(0x10FFFF) {
      guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenLowercased else {
        continue
      }
      let lower = scalar.properties.lowercaseMapping.unicodeScalars
      guard let first = lower.first, lower.count == 1 else { continue }
      #expect(first.capitals.contains(scalar), "\(scalar)")
    }
  }

  @Test("a value of MATCHES that is no regular expression is an error, or makes no match")
  func invalidValue() throws {
    for value in ["a(", String(repeating: "a{9}", count: 300)] {
      #expect(throws: MemberError.self) {
        try ActivationPredicate("self MATCHES %@", [.text(value)])
      }
      let forgiving = try ActivationPredicate(
        "self MATCHES %@ OR self == %@", [.text(value), .text("b")], forgivesValues: true)
      #expect(forgiving.description == #"FALSEPREDICATE OR self == "b""#)
    }
    #expect(throws: MemberError.self) {
      try ActivationPredicate("self MATCHES 'a('", forgivesValues: true)
    }
  }

  @Test("the values of %@ and %K keep their meaning, whatever they contain")
  func arguments() throws {
    let hostile = #"a' OR TRUEPREDICATE OR self == "b\"#
    let predicate = try ActivationPredicate("%K == %@", [.text("self"), .text(hostile)])
    #expect(predicate.matches(hostile))
    #expect(!predicate.matches("b") && !predicate.matches("a"))
    #expect(try ActivationPredicate(predicate.description) == predicate)
    let several = try ActivationPredicate(
      "self IN %@ AND NOT self LIKE %@", [.texts(["a", hostile]), .text("?")])
    #expect(several.matches(hostile) && !several.matches("a"))
    // A text in JSON is a text of a predicate, so that a client in any language can write one.
    let odd = "it's \"\u{1}\u{7f}\\ é😀\u{2028}\n\t\u{8}"
    #expect(try ActivationPredicate("self == \(text(odd))").matches(odd))
  }

  @Test(
    "a value that does not fit is an error",
    arguments: [
      ("self == %@", [PredicateArgument.texts(["a"])], "expected a text as the value of %@"),
      ("self == 'a'", [.text("b")], "at character 12: expected %@ for each value, found the end"),
      ("self IN %@", [.text("a")], "at character 9: expected { and texts in quotes, found %@"),
      ("%K == 'a'", [.text("name")], #"at character 1: expected the value "self" for %K"#),
      ("self == '%@'", [.text("a")], "at character 13: expected %@ for each value"),
    ])
  func unfit(format: String, values: [PredicateArgument], expected: String) {
    do {
      _ = try ActivationPredicate(format, values)
      Issue.record("accepted")
    } catch {
      #expect(error.description.contains(expected), "\(error)")
    }
  }

  @Test("a description has one form, with only the necessary parentheses")
  func canonical() throws {
    let written = [
      "not((self='a'))&&(self like'b'||TRUEPREDICATE)":
        #"NOT self == "a" AND (self LIKE "b" OR TRUEPREDICATE)"#,
      "(TRUEPREDICATE AND FALSEPREDICATE) OR (TRUEPREDICATE)":
        "TRUEPREDICATE AND FALSEPREDICATE OR TRUEPREDICATE",
      "TRUEPREDICATE OR (TRUEPREDICATE OR FALSEPREDICATE)":
        "TRUEPREDICATE OR TRUEPREDICATE OR FALSEPREDICATE",
      "TRUEPREDICATE AND (TRUEPREDICATE AND (FALSEPREDICATE OR TRUEPREDICATE))":
        "TRUEPREDICATE AND TRUEPREDICATE AND (FALSEPREDICATE OR TRUEPREDICATE)",
      "NOT (TRUEPREDICATE AND NOT FALSEPREDICATE)": "NOT (TRUEPREDICATE AND NOT FALSEPREDICATE)",
      "self in[c]{'a','b'}": #"self IN[c] {"a", "b"}"#,
      "self==[dC]'a'": #"self ==[cd] "a""#,
      "self matches[D]'a+'": #"self MATCHES[d] "a+""#,
    ]
    for (text, expected) in written {
      #expect(try ActivationPredicate(text).description == expected)
    }
  }

  @Test("parentheses and NOTs can be nested up to a limit")
  func depth() {
    let most = ActivationPredicate.maximumDepth
    for opening in ["(", "!", "NOT ", "!("] {
      let count = most / (opening == "!(" ? 2 : 1)
      let closing = String(repeating: ")", count: opening.hasSuffix("(") ? count : 0)
      let text = String(repeating: opening, count: count) + "TRUEPREDICATE" + closing
      #expect(problem(text) == nil)
      let problem = problem(opening + text + closing)
      #expect(problem?.contains("nested more than 32 levels deep") == true)
    }
    // Predicates side by side are not nested.
    let wide = Array(repeating: "NOT (self == 'a')", count: 1000).joined(separator: " OR ")
    #expect(problem(wide) == nil)
  }

  @Test("a hostile regular expression takes at most the length of the text times its own in steps")
  func expression() throws {
    let predicate = try ActivationPredicate("self MATCHES '(a*)*(a|aa)+b'")
    #expect(!predicate.matches(String(repeating: "a", count: 1000)))
    #expect(predicate.matches(String(repeating: "a", count: 1000) + "b"))
  }

  @Test("a hostile pattern takes at most the length of the text times that of the pattern in steps")
  func pattern() throws {
    let pattern = String(repeating: "*a", count: 1000) + "*b"
    let predicate = try ActivationPredicate("self LIKE '\(pattern)'")
    #expect(!predicate.matches(String(repeating: "a", count: 1000)))
    #expect(predicate.matches(String(repeating: "a", count: 1000) + "b"))
  }

  @Test("a predicate in JSON is its text, and an invalid one is a member error")
  func json() throws {
    let conditions = try read(
      ActivationConditions.self, from: #"{"prefersToActivate":"self=='a'"}"#)
    #expect(conditions.prefersToActivate(for: "a") && conditions.canActivate(for: "b"))
    #expect(text(conditions) == #"{"prefersToActivate":"self == \"a\""}"#)
    #expect(
      try SceneModelTests.problem(ActivationConditions.self, #"{"canActivate":"self"}"#)?
        .hasPrefix("canActivate: at character 5: expected ==") == true)
  }

  @Test("an old record without conditions can be read")
  func oldRecord() throws {
    var attributes = Samples.attributes
    attributes.activationConditions = .standard
    #expect(!text(attributes).contains("activationConditions"))
    #expect(
      try read(SessionAttributes.self, from: text(attributes)).activationConditions == .standard)
  }
}
