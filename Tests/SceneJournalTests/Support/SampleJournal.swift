import SceneJournal
import SceneTestSupport

/// A journal with a checkpoint of several batches, a full log, a log that a start sealed, and a
/// last log.
func makeSampleJournal() throws -> SimulatedDisk {
  let disk = SimulatedDisk(seed: 5)
  var options = JournalOptions.small(pages: 2)
  options.logLimit = 1
  var notes = Notes()
  var writer = try JournalWriter(disk, options: options, content: &notes)
  for number in 1...3 {
    try writer.commit(JournalRecords([number: String(repeating: "b", count: 1100)]))
  }
  while try writer.compactStep() {}
  options.logLimit = 5
  writer = try JournalWriter(disk, options: options, content: &notes)
  for number in 4...6 {
    try writer.commit(JournalRecords([number: "new", 1: "changed with \(number)"]))
  }
  writer = try JournalWriter(disk, options: .small(), content: &notes)
  try writer.commit(JournalRecords([4: "after:new", 2: "after:the checkpoint"]))
  try writer.commit(JournalRecords([7: "long " + String(repeating: "x", count: 5000)]))
  try writer.commit(JournalRecords([7: "after:long", 6: "after:all"]))
  try writer.writeCommitMarker()
  return disk
}
