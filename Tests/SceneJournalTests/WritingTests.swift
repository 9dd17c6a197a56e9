import SceneJournal
import SceneTestSupport
import Testing

@Suite("writing and reading back")
struct WritingTests {
  @Test("gives back what was committed")
  func givesBack() throws {
    let disk = SimulatedDisk(seed: 1)
    var notes = Notes()
    var writer = try NotesWriter(disk, options: .small(), content: &notes)
    #expect(notes == Notes())
    let first = JournalRecords([1: "one", 2: "two"])
    try writer.commit(first)
    var second = JournalRecords([1: "ONE", 3: "three"])
    second.clear(2)
    try writer.commit(second)
    disk.cutPower()
    #expect(try recover(disk) == Notes().adding(first).adding(second))
  }
}
