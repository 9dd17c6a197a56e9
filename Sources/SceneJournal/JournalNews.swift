/// What the owner of a ``JournalThread`` learns when it asks.
package struct JournalNews: Equatable, Sendable {
  /// The number of the newest submission that is as durable as was promised, with all before it.
  package var syncedThrough: UInt64 = 0
  package var storage = DiskRoom.ok
  /// What does not fit while ``storage`` is not `ok`.
  package var missingRoom: MissingRoom?
  /// Set once, when the journal has ended with an error: nothing more is acknowledged.
  package var failure: JournalError?
  /// Set once, when everything was written that is to be, or nothing can be any more: the thread
  /// does nothing from then on.
  package var hasEnded = false
  /// Set once, when compaction was given up; the journal itself goes on.
  package var compactionFailure: JournalError?
  package var counts = JournalCounts()

  package init() {}
}

/// What passes between the owner of a journal and the journal's thread, in both directions.
struct JournalHandover: Sendable {
  /// Records that go into one batch, and the number of the last submission among them.
  struct Unit: Sendable {
    var records: JournalRecords
    var through: UInt64
  }

  /// In the order they were submitted.
  private(set) var units: [Unit] = []
  var setAside = 0
  var isStopping = false
  /// Whether room is wished for that there was not, and was not looked for since.
  var wishesForRoom = false
  var news = JournalNews()

  /// What was submitted together stays together: it is added to the last unit only if it fits.
  mutating func submit(_ records: JournalRecords, through number: UInt64, batchByteLimit: Int) {
    if let last = units.indices.last,
      units[last].records.byteCount + records.byteCount <= batchByteLimit
    {
      units[last].records.append(records)
      units[last].through = number
    } else {
      units.append(Unit(records: records, through: number))
    }
  }

  /// The next unit to write; what is submitted from now on goes into another.
  mutating func takeUnit() -> Unit? {
    units.isEmpty ? nil : units.removeFirst()
  }

  /// Puts back a unit that found no room.
  mutating func putBack(_ unit: Unit) {
    units.insert(unit, at: 0)
  }
}
