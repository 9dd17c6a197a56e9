import SceneJSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneJournal

/// The journal writes the bytes that the journal's page shows.
struct JournalPageTests {
  private let page: Page
  private let dumps: [Hexdump]

  init() throws {
    page = try Page.manual("Journal-format")
    dumps = try page.blocks.compactMap(Hexdump.init)
    try #require(dumps.count == 4)
  }

  private var log: ContiguousArray<UInt8> { ContiguousArray(dumps[0].bytes) }
  private var batch: ContiguousArray<UInt8> { ContiguousArray(dumps[1].bytes) }
  private var checkpoint: ContiguousArray<UInt8> { ContiguousArray(dumps[2].bytes) }
  private var trailer: ContiguousArray<UInt8> { ContiguousArray(dumps[3].bytes) }

  @Test("the text beside the bytes shows the same bytes")
  func text() {
    for dump in dumps { #expect(dump.text == Hexdump.text(of: dump.bytes)) }
  }

  @Test("the journal reads and writes a log's header as the page explains it")
  func logHeader() throws {
    let header = try LogHeader(decoding: log.span, of: "log-2")
    #expect(log.count == JournalFormat.logHeaderByteCount)
    #expect(header.encoded().starts(with: log))
    #expect(header.number == 2)
    #expect(header.byteCount == JournalOptions().logByteCount)
    #expect(header.firstSequence == 41)
    #expect(header.syncedEnd == 2 * JournalFormat.pageByteCount)
    #expect(header.previous?.salt == UInt32(truncatingIfNeeded: try checkpointHeader.lastLogSalt))
    #expect(header.durability == .disk)
  }

  @Test("the journal reads and writes a batch with the record on the page")
  func batchBytes() throws {
    let salt = try LogHeader(decoding: log.span, of: "log-2").salt
    let decoded = BatchHeader(decoding: batch.span)
    let header = try #require(decoded)
    #expect(dumps[1].start == JournalFormat.pageByteCount)
    #expect(header.byteCount == batch.count)
    #expect(header.sequence == 41)
    let isWhole = header.checks(batch.span, salt: salt)
    #expect(isWhole)

    let payload = batch.dropFirst(JournalFormat.batchHeaderByteCount)
    let records = JournalRecords(packed: payload, count: header.recordCount)
    var read: [Record] = []
    let document = JSONDocument()
    try records.forEach { kind, body in
      try document.read(body)
      let known = try #require(RecordKind(rawValue: kind))
      read.append(try Record(kind: known, body: document.root))
    }
    let session = try #require(SessionIdentifier("5B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5F"))
    #expect(read == [.discard(Discard(session: session))])

    var written: ContiguousArray<UInt8> = []
    BatchHeader.encode(records, sequence: header.sequence, salt: salt, to: &written)
    #expect(written == batch)
  }

  private var checkpointHeader: CheckpointHeader {
    get throws { try CheckpointHeader(decoding: checkpoint.span, of: "base-1") }
  }

  @Test("the journal reads and writes a checkpoint's header and trailer as the page explains them")
  func checkpointBytes() throws {
    let header = try checkpointHeader
    #expect(checkpoint.count == JournalFormat.checkpointHeaderByteCount)
    #expect(header.encoded() == checkpoint)
    #expect(header.number == 1 && header.lastLog == 1 && header.nextSequence == 41)
    let decoded = CheckpointTrailer(decoding: trailer.span, salt: header.salt)
    let read = try #require(decoded)
    #expect(read.encoded(salt: header.salt) == trailer)
    #expect(read.batchCount == 3 && read.recordCount == 12)
    #expect(Int(read.byteCount) == dumps[3].start + JournalFormat.trailerByteCount)
  }

  @Test("the table has every record with its members")
  func records() throws {
    let rows = try page.table("A batch")
    #expect(rows.map(\.[0].text) == RecordKind.allCases.map { "\($0.rawValue)" })
    #expect(rows.map(\.[1].name) == RecordKind.allCases.map(\.name))
    for (row, kind) in zip(rows, RecordKind.allCases) {
      let members: [String] =
        switch kind {
        case .session: Description.members(of: SessionAttributes.self)
        case .activity: Description.members(of: Generation.self)
        case .held: Description.members(of: Hold.self)
        case .discard: Description.members(of: Discard.self)
        case .topic: Description.members(of: TopicAttributes.self)
        case .event: Description.members(of: TopicEvent.self)
        case .topicEnd: Description.members(of: TopicEnd.self)
        case .discardReported: Description.members(of: DiscardReported.self)
        case .delegateKnown: []
        }
      #expect(row[2].code == members, "\(kind.name)")
    }
  }

  @Test("the table has every size with its value")
  func sizes() throws {
    let options = Mirror(reflecting: JournalOptions()).children.compactMap { child in
      (child.value as? Int).map { (child.label ?? "", "\($0)") }
    }
    let rows = try page.table("Sizes")
    #expect(rows.map(\.[0].name) == options.map(\.0))
    #expect(rows.map(\.[1].text) == options.map(\.1))
    #expect(JournalFormat.pageByteCount == 4096)
    #expect(page.text.contains("a page of 4096 bytes"))
  }

  /// The rows of the table, and a file with the first bytes that stop a start.
  private static let refused: [(row: String, name: String, text: String)] = [
    ("damage", "log-1", "SCENELOG\u{1}\0\0\0" + String(repeating: "\u{7}", count: 60)),
    (
      "a file of a newer or a foreign format", "log-1",
      "SCENELOG\u{2}\0\0\0" + String(repeating: "\u{7}", count: 60)
    ),
    ("a file of a newer or a foreign format", "base-1", "another program's file"),
    ("a journal of which nothing is left", "log-2.tmp", ""),
  ]

  @Test("a start that is refused ends as the page says, and changes no file", arguments: refused)
  func refusedStart(name: String, file: String, text: String) throws {
    let rows = try page.table("When the disk says no")
    let row = try #require(rows.first { $0[0].text == name })
    let workplace = try Workplace()
    try Directory.make(workplace.state)
    _ = try workplace.write("state/\(file)", text)
    let outcome = try workplace.scened()
    #expect("\(outcome.code)" == row[2].text, "\(outcome.errors)")
    let verified = try RunningProgram.run("scenectl", ["journal", "verify", workplace.state])
    #expect(verified.code == outcome.code, "\(verified.errors)")
    #expect(outcome.errors.contains(file))
    #expect(try workplace.read("state/\(file)") == text)
    #expect(try Directory.list(workplace.state).sorted() == [file, "lock"].sorted())
  }
}
