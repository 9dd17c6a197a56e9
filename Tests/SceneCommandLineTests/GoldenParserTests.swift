import SceneTestSupport
import Testing

@testable import SceneCommandLine

@Suite("Parsing a command line")
struct GoldenParserTests {
  @Test(
    "a value accepts all usual forms",
    arguments: [
      ["--socket", "/s", "raise", "tree"], ["--socket=/s", "raise", "tree"],
      ["-S", "/s", "raise", "tree"], ["-S/s", "raise", "tree"], ["-qjS/s", "raise", "tree"],
      ["raise", "-jqS", "/s", "tree"], ["raise", "tree", "--socket", "/s"],
      ["raise", "--socket=/other", "tree", "-S/s"], ["raise", "-S", "/s", "--", "tree"],
    ])
  func valueSpellings(words: [String]) throws {
    let invocation = try invocation(words)
    #expect(invocation.verb == "raise")
    #expect(invocation.value("socket") == "/s")
    #expect(invocation.arguments("PIECE") == ["tree"])
  }

  @Test("a value may be empty, begin with a dash, or hold an equals sign")
  func oddValues() throws {
    #expect(try invocation(["--theatre="]).value("theatre") == "")
    #expect(try invocation(["--theatre", "--json"]).value("theatre") == "--json")
    #expect(try invocation(["-t=x"]).value("theatre") == "=x")
    let labels = try invocation(["raise", "tree", "--label=a=b=c", "-l", "d", "-le"])
    #expect(labels.values("label") == ["a=b=c", "d", "e"])
  }

  @Test("short flags can be combined")
  func bundles() throws {
    let invocation = try invocation(["-jq", "status"])
    #expect(invocation.has("json"))
    #expect(invocation.has("quiet"))
    #expect(!invocation.has("watch"))
  }

  @Test("after -- a dash begins no option, and a single dash is a word")
  func dashes() throws {
    #expect(
      try invocation(["raise", "--", "-x", "--json"]).arguments("PIECE") == ["-x", "--json"])
    #expect(try invocation(["raise", "-", "tree"]).arguments("PIECE") == ["-", "tree"])
  }

  @Test("a negative number is a word")
  func negativeNumbers() throws {
    #expect(try invocation(["raise", "-5", "-10s"]).arguments("PIECE") == ["-5", "-10s"])
  }

  @Test("the words after -- are not parsed")
  func trailingCommand() throws {
    let invocation = try invocation(["rehearse", "hamlet", "-q", "--", "ls", "-q", "--", "--help"])
    #expect(invocation.trailing == ["ls", "-q", "--", "--help"])
    #expect(invocation.argument("SCENE") == "hamlet")
    #expect(invocation.argument("ACT") == nil)
    #expect(invocation.has("quiet"))
  }

  @Test("without -- there is no trailing command")
  func noTrailingCommand() throws {
    let program = Command("run", "Run.", trailing: .optional("COMMAND"))
    #expect(try invocation([], of: program).trailing == nil)
    #expect(try invocation(["--"], of: program).trailing == [])
  }

  @Test("verbs can be nested and inherit options")
  func nestedVerbs() throws {
    let invocation = try invocation(["store", "-j", "check", "a", "b", "-t", "rose"])
    #expect(invocation.verbs == ["store", "check"])
    #expect(invocation.verb == "store check")
    #expect(invocation.name == "stage store check")
    #expect(invocation.arguments("DIR") == ["a", "b"])
    #expect(invocation.value("theatre") == "rose")
    #expect(try SceneCommandLineTests.invocation(["store", "check"]).arguments("DIR") == [])
  }

  @Test("a missing verb selects the default verb with its options")
  func defaultVerb() throws {
    #expect(try invocation([]).verb == "status")
    let watching = try invocation(["--json", "--watch"])
    #expect(watching.verb == "status")
    #expect(watching.has("watch") && watching.has("json"))
  }

  @Test(
    "an option before the verb belongs to the verb",
    arguments: [
      ["wait", "x", "--timeout", "5s"], ["--timeout", "5s", "wait", "x"],
      ["--timeout=5s", "-j", "wait", "x"],
    ])
  func beforeVerb(words: [String]) throws {
    let invocation = try invocation(words)
    #expect(invocation.verb == "wait")
    #expect(invocation.nanoseconds("timeout") == 5_000_000_000)
    #expect(invocation.arguments("CONDITION") == ["x"])
  }

  @Test("a missing option has its default")
  func defaults() throws {
    let invocation = try invocation(["raise", "tree"])
    #expect(invocation.value("theatre") == "globe")
    #expect(!invocation.has("theatre"))
    #expect(invocation.integer("speed") == 5)
    #expect(invocation.integer("height") == nil)
    #expect(
      try SceneCommandLineTests.invocation(["wait", "x"]).nanoseconds("timeout") == 10_000_000_000)
  }

  @Test("an alias selects a verb, which keeps its name")
  func alias() throws {
    #expect(try invocation(["hoist", "tree"]).verb == "raise")
  }

  @Test(
    "--version prints the program's version", arguments: [["--version"], ["raise", "--version"]])
  func version(words: [String]) throws {
    #expect(try printed(words) == "stage 1.2.3\n")
  }

  @Test("an error names the mistake and the closest valid name")
  func golden() throws {
    try GoldenFile.expectAnswers("messages/command-lines.txt") { line in
      let error = #expect(throws: UsageError.self) { try sample.parse(try ShellWords.split(line)) }
      return error.map { "\($0.command): \($0.message)" } ?? ""
    }
  }

  @Test(
    "help prints the page of the program or of a verb, as --help does",
    arguments: [
      (["help"], ["--help"]), (["help", "raise"], ["raise", "--help"]),
      (["store", "help"], ["store", "--help"]), (["help", "store"], ["store", "--help"]),
      (["help", "store", "check"], ["store", "check", "--help"]),
    ])
  func help(words: [String], option: [String]) throws {
    #expect(try printed(words) == printed(option))
  }

  @Test("a verb is suggested only if one letter differs, because verbs can do harm")
  func harmlessSuggestions() {
    func message(_ word: String) -> String? {
      #expect(throws: UsageError.self) { try sample.parse([word]) }?.message
    }
    #expect(message("raice") == "unknown verb \"raice\"; did you mean raise?")
    #expect(message("unraise") == "unknown verb \"unraise\"")
  }

  @Test("a usage error names the help page")
  func pointer() {
    let error = #expect(throws: UsageError.self) { try sample.parse(["raise"]) }
    #expect(error?.description == "stage raise: PIECE is missing\nTry 'stage raise --help'.")
  }

  @Test("a program may add an error of its own")
  func ownError() throws {
    let error = try invocation(["raise", "x"]).usageError("the curtain is down")
    #expect(error.description.hasPrefix("stage raise: the curtain is down\n"))
  }
}

@Suite("Durations")
struct GoldenTimeSpanTests {
  @Test("a duration is a number of units, and needs its unit")
  func golden() throws {
    try GoldenFile.expectAnswers("messages/durations.txt") { text in
      TimeSpan.nanoseconds(text).map { "\($0) ns" } ?? "invalid"
    }
  }
}

@Suite("The closest name")
struct NearestTests {
  @Test(
    "the edit distance counts letters and swaps",
    arguments: [
      ("", "", 0), ("abc", "", 3), ("", "ab", 2), ("state", "stat", 1), ("jsno", "json", 1),
      ("kitten", "sitting", 3), ("ab", "ba", 1),
    ])
  func distances(one: String, other: String, distance: Int) {
    #expect(editDistance(Array(one.utf8), Array(other.utf8)) == distance)
    #expect(editDistance(Array(other.utf8), Array(one.utf8)) == distance)
  }

  @Test(
    "a word of one or two letters is close only to the words that it begins",
    arguments: [
      ("a", "q", nil), ("qa", "qb", nil), ("pak", "pa", nil), ("pa", "packing", "packing"),
      ("pakc", "pack", "pack"), ("Q", "q", "q"),
    ] as [(String, String, String?)])
  func shortWords(word: String, candidate: String, expected: String?) {
    #expect(nearest(to: word, among: [candidate]) == expected)
  }
}
