import SceneTestSupport
import Testing

@testable import SceneJournal

/// What a stranger reads: what happened, in which file and where in it, and what to do.
@Suite("what a person is told of an error")
struct ErrorTextTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let error: JournalError
    let message: String

    init(_ error: JournalError, _ message: String) {
      self.error = error
      self.message = message
    }

    init(_ file: String, _ offset: Int, _ cause: JournalDamage.Cause, _ explanation: String) {
      self.init(
        .damaged(JournalDamage(file: file, offset: offset, cause: cause)),
        explanation + "\nNothing was changed. Keep what can be read with: "
          + "scenectl journal salvage '/my state' --into '/my state-salvaged'")
    }

    var testDescription: String { message }
  }

  private static let damages = [
    Case(
      "log-2", 0, .missingFile(beside: "log-3"),
      "/my state/log-2 is missing; log-3 needs it, or a base that contains it"),
    Case(
      "log-2", 8192, .tooShort(byteCount: 8192, expected: 65536),
      "/my state/log-2 is damaged at offset 8192: it ends after 8192 bytes of 65536"),
    Case(
      "log-2", 0, .header,
      "/my state/log-2 is damaged at offset 0: its header does not match its checksum"),
    Case(
      "log-2", 16, .number(7),
      "/my state/log-2 is damaged at offset 16: its header is that of the file with the number 7"),
    Case(
      "log-2", 4096, .batchBeforeValid(at: 8192),
      """
      /my state/log-2 is damaged at offset 4096: what was written there does not match its \
      checksum, and it is no write that was cut short: a valid one follows at offset 8192
      """),
    Case(
      "base-1", 64, .batchBeforeEnd(900),
      """
      /my state/base-1 is damaged at offset 64: what was written there does not match its \
      checksum, though all before offset 900 was safely on the disk
      """),
    Case(
      "log-2", 4096, .sequence(expected: 5, found: 7),
      """
      /my state/log-2 is damaged at offset 4096: batch 7 is where batch 5 belongs, as if an old \
      copy had taken its place
      """),
    Case(
      "log-2", 0, .doesNotContinue(file: "log-1"),
      """
      /my state/log-2 is damaged at offset 0: it does not continue log-1: one of them is an old \
      copy, or another journal's
      """),
    Case(
      "log-2", 4200, .recordLayout,
      """
      /my state/log-2 is damaged at offset 4200: the records there do not fill what was written \
      around them
      """),
    Case(
      "base-1", 4200, .trailer,
      """
      /my state/base-1 is damaged at offset 4200: its last bytes do not say what was read before \
      them
      """),
    Case(
      "log-2", 4124, .content(JournalContentError("session 7 is not known")),
      "/my state/log-2 is damaged at offset 4124: session 7 is not known"),
  ]

  private static let others = [
    Case(
      .storage(
        StorageError(
          call: .syncData, file: "log-2", reason: .code(5), message: "Input/output error")),
      "cannot sync /my state/log-2: Input/output error; see to the disk, then start again"),
    Case(
      .storage(
        StorageError(
          call: .list, file: "/my state", reason: .denied, message: "Permission denied")),
      """
      cannot list /my state: Permission denied; make the files this user's again, or choose \
      another directory with --state
      """),
    Case(
      .noRoom(
        MissingRoom(
          place: "/my state", neededByteCount: 16 << 20, freeByteCount: 3_355_443,
          reason: "No space left on device")),
      """
      no room for the journal: a log of 16 MiB does not fit into /my state, where 3.1 MiB are \
      free (No space left on device); make room there, or choose another directory with --state
      """),
    Case(
      .gone(witness: "lock"),
      """
      every file of the journal is missing: /my state/lock tells that there was one
      Put its files back. To begin without them: rm '/my state/lock'
      """),
    Case(
      .foreign(file: "base-1"),
      """
      /my state/base-1 is not a journal file of this program, or its first bytes are destroyed; \
      it was left untouched
      If it is somebody else's, move it away; if not, keep what can be read with: scenectl \
      journal salvage '/my state' --into '/my state-salvaged'
      """),
    Case(
      .storage(
        StorageError(
          call: .open, file: "log-2", reason: .notAFile,
          message: "it is a directory, not a file")),
      """
      cannot open /my state/log-2: it is a directory, not a file
      Put the file back in its place. If there is none, keep what can be read with: scenectl \
      journal salvage '/my state' --into '/my state-salvaged'
      """),
    Case(
      .newerFormat(file: "log-1", version: 2),
      """
      /my state/log-1 has format 2, and this program knows only 1; it was left untouched
      Use the version of this program that wrote it, or a newer one
      """),
  ]

  @Test("says what, where and what to do", arguments: damages + others)
  func texts(_ item: Case) {
    #expect(item.error.message(in: "/my state/") == item.message)
  }

  @Test("another directory is chosen by what has chosen this one")
  func chosenBy() {
    let room = MissingRoom(
      place: "/tmp/x", neededByteCount: 16 << 20, freeByteCount: 0, reason: "No space")
    let message = JournalError.noRoom(room).message(in: "/tmp/x", chosenBy: "TMPDIR")
    #expect(message.hasSuffix("; make room there, or choose another directory with TMPDIR"))
  }

  @Test("a directory that begins with a dash is never taken for an option")
  func dash() {
    let error = JournalError.gone(witness: "lock")
    #expect(error.message(in: "-state").hasSuffix(" rm ./-state/lock"))
    let damage = JournalDamage(file: "log-1", offset: 0, cause: .header)
    let advice = "scenectl journal salvage ./-state --into ./-state-salvaged"
    #expect(JournalError.damaged(damage).message(in: "-state").hasSuffix(advice))
  }

  @Test(
    "says numbers of bytes as people do",
    arguments: [
      (0, "0 bytes"), (1023, "1023 bytes"), (1024, "1 KiB"), (1536, "1.5 KiB"),
      (16 << 20, "16 MiB"), (150 << 20 | 1 << 19, "150 MiB"), (5 << 40, "5 TiB"),
    ])
  func bytes(count: Int, text: String) {
    #expect(byteText(count) == text)
  }

  @Test("of a tail no more is said than is known")
  func tail() {
    let tail = JournalReport.Tail(file: "log-2", offset: 8192, byteCount: 1)
    #expect(
      "\(tail)" == """
        log-2 can be read up to offset 8192; the 1 byte after it match no checksum: a write that was \
        cut short and never acknowledged, or damage that reaches to the end of what was written, be \
        it one save or several, and nothing tells which
        """)
  }

  @Test("what is asked for, and what is there, is what the disk said")
  func room() throws {
    let disk = SimulatedDisk(seed: 1, capacity: 20_000)
    var notes = Notes()
    let error = #expect(throws: JournalError.self) {
      _ = try NotesWriter(disk, options: .small(), content: &notes)
    }
    let room = MissingRoom(
      place: disk.place, neededByteCount: 9 * 4096, freeByteCount: 20_000,
      reason: "No space left on device")
    #expect(error == .noRoom(room))
  }
}
