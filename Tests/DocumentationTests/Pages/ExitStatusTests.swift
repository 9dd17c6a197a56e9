import SceneCommandLine
import Testing

@testable import SceneCommands

/// The exit statuses that scripts can rely on.
struct ExitStatusTests {
  private let rows: [[String]]
  private let program = Scenectl.command

  init() throws {
    rows = try Page.manual("The-three-programs").table("All programs").map { $0.map(\.text) }
  }

  @Test("the page has the exit statuses of the program, with its texts")
  func complete() {
    #expect(
      rows.map { "\($0[0]) \($0[1])" } == program.exits.map { "\($0.key.rawValue) \($0.value)" })
  }

  @Test("the help of a verb has the statuses that the page names for it")
  func verbs() throws {
    var count = 0
    for row in rows where row[2] != "|" {
      for instance in row[2].split(separator: /; (?=`)/) {
        let (name, meaning) = try #require(
          instance.wholeMatch(of: /`([a-z ]+)`: (.+)/).map { (String($0.1), String($0.2)) })
        let command = try #require(self.command(name))
        #expect(
          command.exits.contains { "\($0.key.rawValue)" == row[0] && $0.value == meaning },
          "\(name)")
        count += 1
      }
    }
    #expect(count > 5)
  }

  private func command(_ name: String) -> Command? {
    name.split(separator: " ").reduce(program) { command, word in command?.verb(String(word)) }
  }
}
