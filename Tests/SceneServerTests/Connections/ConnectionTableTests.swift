import SceneBroker
import SceneModel
import Testing

@testable import SceneServer

@Suite("The table of connections")
struct ConnectionTableTests {
  private func add(to table: inout ConnectionTable) -> Connection {
    let connection = Connection(
      table.nextIdentifier(), process: ClientProcess(pid: 1, startTime: 1), descriptor: nil,
      frameLimit: 100)
    table.add(connection)
    return connection
  }

  @Test("a place is used again, and an identifier never is")
  func identifiers() {
    var table = ConnectionTable()
    let (one, two) = (add(to: &table), add(to: &table))
    table.remove(one.identifier)
    #expect(table[one.identifier] == nil && table.count == 1)
    let three = add(to: &table)
    #expect(table[one.identifier] == nil, "the place belongs to another connection")
    #expect(table[three.identifier] === three)
    #expect(table.identifiers == [two.identifier, three.identifier], "in the order of connecting")
    table.remove(one.identifier)
    #expect(table[three.identifier] === three && table.count == 2)
  }

  @Test("a connection that takes the place of another, or a free one, is a flaw")
  func flaws() {
    var (table, other) = (ConnectionTable(), ConnectionTable())
    let connections = (1...2).map { _ in add(to: &table) }
    for _ in 1...2 { _ = add(to: &other) }
    let third = add(to: &other)
    #expect(table.flaws == [] && other.flaws == [])
    for connection in connections {
      table.remove(connection.identifier)
      #expect(table.flaws == [])
    }
    let taken = Connection(
      ConnectionIdentifier(third.identifier.number - 2), process: third.process, descriptor: nil,
      frameLimit: 100)
    table.add(taken)
    #expect(
      table.flaws == [
        "connection \(taken.identifier.number) has the place 0",
        "the free places differ from the empty ones",
      ])
  }
}
