import SceneCommandLine
import SceneControlTestSupport
import SceneModel
import Testing

@testable import SceneCommands

@Suite("What is printed for people")
struct OutputTests {
  // MARK: - Tables

  @Test("columns are as wide as they have to be, and lines end with their text")
  func table() {
    var table = Table(["NAME", "STATE", "CLIENT"])
    table.add([Table.Cell("packing"), Table.Cell("background"), Table.Cell("scene 4711")])
    table.add([Table.Cell("旅"), Table.Cell(""), Table.Cell("-")])
    #expect(
      table.text(colored: false) == """
        NAME     STATE       CLIENT
        packing  background  scene 4711
        旅                   -

        """)
  }

  @Test("colour does not move the columns")
  func colour() {
    var table = Table(["A", "B"])
    table.add([Table.Cell("xx", .good), Table.Cell("y")])
    #expect(
      table.text(colored: true)
        == "\u{1B}[1mA\u{1B}[0m   \u{1B}[1mB\u{1B}[0m\n\u{1B}[32mxx\u{1B}[0m  y\n")
  }

  @Test("only the last column may be wider than 40")
  func wide() {
    let long = String(repeating: "x", count: 60)
    var table = Table(["A", "B"])
    table.add([Table.Cell(long), Table.Cell(long)])
    let line = table.text(colored: false).split(separator: "\n")[1]
    #expect(line == String(repeating: "x", count: 39) + "…  " + long)
  }

  // MARK: - Times

  @Test(
    "an age has one number and one unit",
    arguments: [
      (0, "0s"), (999, "0s"), (1000, "1s"), (59_999, "59s"), (60_000, "1m"), (3_599_999, "59m"),
      (3_600_000, "1h"), (86_399_999, "23h"), (86_400_000, "1d"), (8_640_000_000, "100d"),
      (-5000, "0s"),
    ])
  func age(milliseconds: Int64, text: String) {
    #expect(Age.text(from: 1_000_000, to: 1_000_000 + milliseconds) == text)
  }

  @Test("what never was has no age")
  func never() {
    #expect(Age.text(from: 0, to: 1_000_000) == "-")
  }

  @Test("microseconds", arguments: [(0, "0.000000"), (7, "0.000007"), (12_003_456, "12.003456")])
  func seconds(microseconds: Int64, text: String) {
    #expect(Age.seconds(microseconds) == text)
  }

  // MARK: - The trace

  @Test("a line of the trace says when, and about whom")
  func traceLine() {
    var entry = TraceEntry(.saved)
    entry.elapsed = 1_500_000
    entry.generation = 1
    #expect(entry.traceLine == "      1.500000  saved generation 1")
    entry.session = identifier(5)
    #expect(entry.traceLine == "      1.500000  aaaabbbb: saved generation 1")
    entry.name = "pack\ning"
    #expect(entry.traceLine == "      1.500000  pack\\ning: saved generation 1")
  }
}
