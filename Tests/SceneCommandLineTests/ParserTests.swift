import Testing

@testable import SceneCommandLine

@Suite("Parsing a command line")
struct ParserTests {
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
    let program = Command("run", "Run.", trailing: .optional())
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

  private static let mistakes: [([String], String)] = [
    (["--theatr", "x"], "stage: unknown option --theatr; did you mean --theatre?"),
    (["--jsno"], "stage: unknown option --jsno; did you mean --json?"),
    (["--theatr=x"], "stage: unknown option --theatr; did you mean --theatre?"),
    (["--elephant"], "stage: unknown option --elephant"),
    (["-x"], "stage: unknown option -x"),
    (["-jx"], "stage: unknown option -x"),
    (["raise", "--watch"], "stage raise: unknown option --watch"),
    (["--watch", "raise"], "stage status: unexpected argument \"raise\""),
    (["--timeout", "5s", "raise", "tree"], "stage raise: --timeout does not apply to raise"),
    (["--timeout", "5s"], "stage status: --timeout does not apply to status"),
    (
      ["--timeout", "5", "wait", "x"],
      "stage: option --timeout: \"5\" is not a time such as 10s, 500ms or 2m"
    ),
    (["--timeotu", "5s"], "stage: unknown option --timeotu; did you mean --timeout?"),
    (["--socket"], "stage: option --socket needs a value (PATH)"),
    (["raise", "-S"], "stage raise: option -S needs a value (PATH)"),
    (["--socket="], "stage: option --socket: the path is empty; give a path, or omit it"),
    (["--json=yes"], "stage: option --json takes no value"),
    (["--help=yes"], "stage: option --help takes no value"),
    (["rise"], "stage: unknown verb \"rise\"; did you mean raise?"),
    (["rai"], "stage: unknown verb \"rai\"; did you mean raise?"),
    (["mount"], "stage: unknown verb \"mount\"; did you mean raise?"),
    (["tree", "raise"], "stage: unknown verb \"tree\"; did you mean stage raise tree?"),
    (
      ["rehearse", "a", "1", "ls", "it's"],
      "stage rehearse: unexpected argument \"ls\"; did you mean "
        + #"stage rehearse a 1 -- ls 'it'\''s'?"#
    ),
    (
      ["rehearse", "a", "1", "ls", "-l"],
      "stage rehearse: unexpected argument \"ls\"; did you mean stage rehearse a 1 -- ls -l?"
    ),
    (
      ["rehearse", "a", "1", "a", "b", "a"],
      "stage rehearse: unexpected argument \"a\"; did you mean stage rehearse a 1 -- a b a?"
    ),
    (
      ["rehearse", "a", "1", "ls", "1", "-l"],
      "stage rehearse: unexpected argument \"ls\"; did you mean stage rehearse a 1 -- ls 1 -l?"
    ),
    (["help"], "stage: unknown verb \"help\"; did you mean stage --help?"),
    (["help", "raise"], "stage: unknown verb \"help\"; did you mean stage raise --help?"),
    (["store", "help"], "stage store: unknown verb \"help\"; did you mean stage store --help?"),
    (["fly"], "stage: unknown verb \"fly\""),
    (["Status"], "stage: unknown verb \"Status\"; did you mean status?"),
    (["store"], "stage store: a verb is missing; use one of check, dump"),
    (["raise"], "stage raise: PIECE is missing"),
    (["status", "x"], "stage status: unexpected argument \"x\""),
    (["status", "--", "x"], "stage status: unexpected argument \"x\""),
    (
      ["rehearse", "a", "6", "--", "ls"],
      "stage rehearse: ACT: \"6\" is not a whole number from 1 to 5"
    ),
    (["rehearse", "a"], "stage rehearse: a command is missing: -- COMMAND …"),
    (["rehearse", "a", "--"], "stage rehearse: a command is missing: -- COMMAND …"),
    (
      ["raise", "a", "--up", "--height", "1"],
      "stage raise: --up and --height cannot be used together"
    ),
    (
      ["raise", "a", "--speed=10"],
      "stage raise: option --speed: \"10\" is not a whole number from 1 to 9"
    ),
    (
      ["raise", "a", "--speed", "fast"],
      "stage raise: option --speed: \"fast\" is not a whole number from 1 to 9"
    ),
    (
      ["raise", "a", "--height=-1"],
      "stage raise: option --height: \"-1\" is not a whole number of at least 0"
    ),
    (
      ["wait", "a", "--timeout", "10"],
      "stage wait: option --timeout: \"10\" is not a time such as 10s, 500ms or 2m"
    ),
    (
      ["wait", "a", "--timeout=-5s"],
      "stage wait: option --timeout: \"-5s\" is negative; use a time such as 10s"
    ),
    (
      ["wait", "a", "--timeout", "200000d"],
      "stage wait: option --timeout: \"200000d\" is too long; the longest time is 292 years"
    ),
    (["-5"], "stage: unknown option -5"),
    (["raise", "a", "-x5"], "stage raise: unknown option -x"),
    (
      ["status", "--by", "nmae"],
      "stage status: option --by: \"nmae\" is not one of name, age; did you mean name?"
    ),
  ]

  @Test("an error names the mistake and the closest valid name", arguments: mistakes)
  func refuses(words: [String], message: String) {
    let error = #expect(throws: UsageError.self) { try sample.parse(words) }
    #expect(error.map { "\($0.command): \($0.message)" } == message)
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
struct TimeSpanTests {
  @Test(
    "a duration needs its unit",
    arguments: [
      ("10s", 10_000_000_000), ("500ms", 500_000_000), ("2m", 120_000_000_000),
      ("1.5s", 1_500_000_000), ("1m30s", 90_000_000_000), ("1h", 3_600_000_000_000), ("7us", 7000),
      ("0", 0), ("0s", 0), ("3ns", 3), ("2min", 120_000_000_000), ("1d", 86_400_000_000_000),
    ] as [(String, Int64)])
  func reads(text: String, nanoseconds: Int64) {
    #expect(TimeSpan.nanoseconds(text) == nanoseconds)
  }

  @Test(
    "an invalid duration is rejected",
    arguments: [
      "", "10", "s", "10 s", "-1s", "1.s", ".5s", "1..5s", "1e3s", "10S", "10sec", "s10", "1s5",
      "300000000000s", "nan", "infs",
    ])
  func refuses(text: String) {
    #expect(TimeSpan.nanoseconds(text) == nil)
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
