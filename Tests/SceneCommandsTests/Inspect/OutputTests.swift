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

  @Test("a window does not cut whole values")
  func whole() {
    var table = Table([Table.Column(heading: "NAME")], isWhole: true)
    table.add([Table.Cell("a long name")])
    #expect(table.text(colored: false, in: 5) == "NAME\na long name\n")
  }

  private static var paths: Table {
    var table = Table([
      Table.Column(heading: "NAME"), Table.Column(heading: "LAST", omission: 1),
      Table.Column(heading: "DIRECTORY", least: 12, omission: 2, keepsEnd: true),
      Table.Column(heading: "COMMAND", least: 6),
    ])
    let row = ["packing", "12d", "/home/ann/projects/travel", "vim -n notes.txt"]
    table.add(row.map { Table.Cell($0) })
    return table
  }

  @Test(
    "a narrow window cuts columns and omits whole ones; without a window nothing is cut",
    arguments: [
      (nil, "packing  12d   /home/ann/projects/travel  vim -n notes.txt"),
      (58, "packing  12d   /home/ann/projects/travel  vim -n notes.txt"),
      (45, "packing  12d   …/projects/travel  vim -n not…"),
      (32, "packing  12d   vim -n notes.txt"), (24, "packing  12d   vim -n n…"),
      (16, "packing  vim -n…"), (13, "pack…  vim -…"), (1, "…  …"),
    ])
  func window(width: Int?, line: String) {
    #expect(Self.paths.text(colored: false, in: width).split(separator: "\n")[1] == line)
  }

  @Test("in a window of any width no row is wider, down to a column for each visible one")
  func fits() {
    for width in 5...80 {
      let lines = Self.paths.text(colored: false, in: width).split(separator: "\n")
      #expect(lines.allSatisfy { PlainText.width(String($0)) <= width }, "\(width): \(lines)")
    }
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
