import SceneTestSupport
import Testing

@testable import SceneCommandLine

@Suite("Help pages and the manual")
struct PageTests {
  @Test("the declaration of the sample program has no mistakes")
  func declaration() { #expect(sample.flaws() == []) }

  @Test("-h prints the page of --help", arguments: [[], ["raise"], ["store", "check"]])
  func short(words: [String]) throws {
    #expect(try printed(words + ["-h"]) == printed(words + ["--help"]))
  }

  @Test("no line is longer than 80 columns")
  func width() throws {
    let long = String(repeating: "wordy ", count: 60)
    let program = Command(
      "long", long, details: long + "\n\n" + long, arguments: [.required("X", long)],
      options: [
        .flag("short", long), .value("a-very-long-name-of-an-option", "PLACEHOLDER", long),
      ], examples: ["long x": long], exits: [.success: long])
    let lines = try printed(["-h"], by: program).split(separator: "\n")
    #expect(lines.count > 40)
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test("leading spaces of a line stay in broken lines")
  func indentation() throws {
    let program = Command("p", "Short.", details: "As in:\n\n  broker {\n      one two\n  }")
    let page = try printed(["-h"], by: program)
    #expect(page.contains("As in:\n\n  broker {\n      one two\n  }\n"))
    var block = TextBlock(columns: 20)
    block.paragraphs("    wordy wordy wordy wordy", indent: 2)
    #expect(block.text == "      wordy wordy\n      wordy wordy\n")
  }

  @Test("each section of the details has its heading, on the help page and on the manual page")
  func sections() throws {
    let program = Command(
      "p", "Short.", details: "First.", sections: ["In a pipe": "Second.\n\nThird."],
      environment: ["SPEED": "the speed"])
    let page = try printed(["-h"], by: program)
    #expect(page.hasPrefix("Usage: p [OPTION]…\n\nShort.\n\nFirst.\n\nOptions:\n"))
    #expect(page.contains("\nIn a pipe:\n  Second.\n\n  Third.\n\nEnvironment:\n"))
    let source = program.manualPage()
    #expect(
      source.contains("First.\n.SS \"In a pipe\"\n.PP\nSecond.\n.PP\nThird.\n.SH \"OPTIONS\""))
  }

  @Test("a verb rejects options that it would ignore")
  func optionsAbove() throws {
    let program = Command(
      "p", "Short.", options: [.flag("loud", "say more")],
      verbs: [
        Command("plain", "Do.", options: [.flag("fast", "sooner")]),
        Command("quiet", "Do not.", options: [.flag("slow", "later")], inheritsOptions: false),
      ])
    #expect(try printed(["plain", "-h"], by: program).contains("--loud"))
    let page = try printed(["quiet", "-h"], by: program)
    #expect(page.contains("Options:\n      --slow  later\n  -h, --help  show this page\n"))
    #expect(!page.contains("--loud"))
    for words in [["--loud", "quiet"], ["quiet", "--slow", "--loud"]] {
      let error = #expect(throws: UsageError.self) { try program.parse(words) }
      #expect(error?.message == "--loud does not apply to quiet")
    }
    guard case .run(let invocation) = try program.parse(["--loud", "plain"]) else { return }
    #expect(invocation.has("loud"))
    #expect(
      try printed(["--complete", "quiet", "-"], by: program).hasPrefix("--slow\tlater\n-h\t"))
  }

  @Test("in a narrow window, each label is above its text")
  func narrow() throws {
    let page: String
    switch try sample.parse(["raise", "--help"], columns: 40) {
    case .run: return
    case .print(let text): page = text
    }
    #expect(
      page.hasPrefix(
        """
        Usage: stage raise [OPTION]… PIECE…

        Bring scenery up.

        Arguments:
          PIECE
              what to raise

        Options:
          --no-wait
              return at once
          --speed N
              how fast (default: 5)
          -l, --label NAME=VALUE
              tie a label to it (may be
              repeated)
        """))
    let long = String(repeating: "wordy ", count: 60)
    let program = Command(
      "a-program-with-a-rather-long-name", long, details: long,
      arguments: [.required("THIS"), .required("THAT")])
    guard case .print(let text) = try program.parse(["-h"], columns: 40) else { return }
    #expect(
      text.hasPrefix("Usage: a-program-with-a-rather-long-name\n       [OPTION]… THIS THAT\n"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 40 })
  }

  @Test("a page has at most 80 columns and a minimum width")
  func extremes() throws {
    let page = { (columns: Int?) in
      guard case .print(let text) = try sample.parse(["--help"], columns: columns) else {
        return ""
      }
      return text
    }
    #expect(try page(200) == page(nil))
    #expect(try page(1) == page(20))
  }

  @Test("the man page lists all verbs and escapes roff syntax")
  func manual() {
    var program = sample
    program.details = ".SH not a heading\n'nor this\nC:\\path \"quoted\"\ncafé \u{1F3AD}"
    let page = program.manualPage(date: "2026-01-31")
    #expect(
      page.hasPrefix(".TH \"STAGE\" \"1\" \"2026\\-01\\-31\" \"stage 1.2.3\"\n.nh\n.ad l\n"))
    #expect(page.contains("\nstage \\- move the scenery of a theatre\n"))
    #expect(page.contains("\n\\&.SH not a heading\n\\&'nor this\nC:\\epath \\(dqquoted\\(dq\n"))
    #expect(page.contains("\ncaf\\[u00E9] \\[u1F3AD]\n"))
    #expect(page.contains(".SS \"store check [OPTION]... [DIR]...\"\n"))
    #expect(page.contains("\\fB\\-S, \\-\\-socket PATH\\fR\n"))
    #expect(page.contains("\\fBstage raise tree\\fR\n"))
  }
}
