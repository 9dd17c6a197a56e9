import SceneBroker
import SceneModel
import Testing

/// The guide states which writes the broker refuses in each state of the disk.
struct RoomTableTests {
  @Test("the table has every state of the disk, with its effect on every kind of write")
  func room() throws {
    let page = try Page.manual("Protocol")
    let head = try #require(page.lines.first { $0.hasPrefix("| `storage` |") })
    #expect(codeSpans(in: head).dropFirst() == WriteIntent.allCases.map { "\($0)" }[...])
    let rows = try page.table("Room on the disk")
    #expect(rows.map(\.[0].name) == StorageCapacity.allCases.map(\.rawValue))
    for row in rows {
      let room = try #require(StorageCapacity(rawValue: row[0].name))
      for (cell, writing) in zip(row.dropFirst(), WriteIntent.allCases) {
        let refusal = room.refusal(of: writing)
        #expect(cell.text == (refusal.map { "`\($0.name)`" } ?? "done"), "\(room) \(writing)")
      }
    }
  }
}
