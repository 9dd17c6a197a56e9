import SceneTestSupport
import Testing

@testable import SceneJournal

/// The messages for users: the problem, the file, the offset and the remedy.
@Suite("Error messages")
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
        explanation + "\nThe journal was not changed. Save the readable part with: "
          + "scenectl journal salvage '/my state' --into '/my state-salvaged'")
    }

    var testDescription: String { message }
  }

  private static let damages = [
    Case(
      "log-2", 0, .missingFile(beside: "log-3"),
      "/my state/log-2 is missing; log-3 needs it, or a checkpoint that contains it"),
    Case(
      "base-2", 8192, .tooShort(byteCount: 8192, expected: 65536),
      "/my state/base-2 is damaged at offset 8192: the file has 8192 bytes instead of 65536"),
    Case(
      "log-2", 0, .header,
      "/my state/log-2 is damaged at offset 0: the header does not match its checksum"),
    Case(
      "log-2", 16, .number(7),
      "/my state/log-2 is damaged at offset 16: the header belongs to file number 7"),
    Case(
      "log-2", 4096, .batchBeforeValid(at: 8192),
      """
      /my state/log-2 is damaged at offset 4096: the data does not match its checksum, and a \
      valid batch follows at offset 8192
      """),
    Case(
      "base-1", 64, .batchBeforeEnd(900),
      """
      /my state/base-1 is damaged at offset 64: the data does not match its checksum, although \
      everything before offset 900 was synced
      """),
    Case(
      "log-2", 4096, .sequence(expected: 5, found: 7),
      """
      /my state/log-2 is damaged at offset 4096: found batch 7 instead of batch 5; the file \
      may be an old copy
      """),
    Case(
      "log-2", 0, .doesNotContinue(file: "log-1"),
      """
      /my state/log-2 is damaged at offset 0: the file does not continue log-1; one of the two \
      is an old copy or part of another journal
      """),
    Case(
      "log-2", 4200, .recordLayout,
      """
      /my state/log-2 is damaged at offset 4200: the records do not fill their batch
      """),
    Case(
      "base-1", 4200, .trailer,
      """
      /my state/base-1 is damaged at offset 4200: the trailer does not match the data before it
      """),
    Case(
      "log-2", 4124, .content("session 7 is not known"),
      "/my state/log-2 is damaged at offset 4124: session 7 is not known"),
  ]

  private static let others = [
    Case(
      .damaged(
        JournalDamage(
          file: "log-2", offset: 8192, cause: .tooShort(byteCount: 8192, expected: 65536))),
      """
      /my state/log-2 is damaged at offset 8192: the file has 8192 bytes instead of 65536
      The journal was not changed. If log-3 is missing, move it back. Otherwise save the readable \
      part with: scenectl journal salvage '/my state' --into '/my state-salvaged'
      """),
    Case(
      .storage(
        StorageFailure(
          call: .syncData, file: "log-2", reason: .code(5), message: "Input/output error")),
      "cannot sync /my state/log-2: Input/output error; check the disk, then start scened again"),
    Case(
      .storage(
        StorageFailure(
          call: .syncData, file: "log-2", reason: .notFound, message: "the file was removed")),
      """
      cannot sync /my state/log-2: the file was removed; if you have the file, move it back; then \
      start scened again, and leave the files in place while it runs
      """),
    Case(
      .storage(
        StorageFailure(
          call: .list, file: "/my state", reason: .denied, message: "Permission denied")),
      """
      cannot list /my state: Permission denied; make this user the owner of the files, or \
      choose another directory with --state
      """),
    Case(
      .noRoom(
        SpaceShortage(
          place: "/my state", neededByteCount: 16 << 20, freeByteCount: 3_355_443,
          reason: "No space left on device")),
      """
      the disk is full: the journal in /my state needs 16 MiB, and 3.1 MiB are free (No space left \
      on device); free disk space, or choose another directory with --state
      """),
    Case(
      .gone(witness: "lock"),
      """
      every file of the journal is missing: /my state/lock records an earlier journal
      Restore the files of the journal. To start without them: rm '/my state/lock'
      """),
    Case(
      .foreign(file: "base-1"),
      """
      /my state/base-1 is not a journal file, or its first bytes are damaged; the file was not \
      changed
      If another program owns the file, move it away. Otherwise save the readable part with: \
      scenectl journal salvage '/my state' --into '/my state-salvaged'
      """),
    Case(
      .storage(
        StorageFailure(
          call: .open, file: "log-2", reason: .notAFile,
          message: "found a directory, not a file")),
      """
      cannot open /my state/log-2: found a directory, not a file
      Restore the file. Without a copy, save the readable part with: scenectl journal salvage \
      '/my state' --into '/my state-salvaged'
      """),
    Case(
      .newerFormat(file: "log-1", version: 2),
      """
      /my state/log-1 has format 2, and this version reads only format 1; the file was not changed
      Use the version that wrote the file, or a newer version
      """),
  ]

  @Test("a message contains the problem, the place and the remedy", arguments: damages + others)
  func texts(_ item: Case) {
    #expect(item.error.message(in: "/my state/") == item.message)
  }

  @Test("the message names the option that sets the directory")
  func chosenBy() {
    let room = SpaceShortage(
      place: "/tmp/x", neededByteCount: 16 << 20, freeByteCount: 0, reason: "No space")
    let message = JournalError.noRoom(room).message(in: "/tmp/x", chosenBy: "TMPDIR")
    #expect(message.hasSuffix("; free disk space, or choose another directory with TMPDIR"))
  }

  @Test("a directory that begins with a dash is no option in a suggested command")
  func dash() {
    let error = JournalError.gone(witness: "lock")
    #expect(error.message(in: "-state").hasSuffix(" rm ./-state/lock"))
    let damage = JournalDamage(file: "log-1", offset: 0, cause: .header)
    let advice = "scenectl journal salvage ./-state --into ./-state-salvaged"
    #expect(JournalError.damaged(damage).message(in: "-state").hasSuffix(advice))
  }

  @Test(
    "byte counts are shown in the largest fitting unit",
    arguments: [
      (0, "0 bytes"), (1023, "1023 bytes"), (1024, "1 KiB"), (1536, "1.5 KiB"),
      (16 << 20, "16 MiB"), (150 << 20 | 1 << 19, "150 MiB"), (5 << 40, "5 TiB"),
    ])
  func bytes(count: Int, text: String) {
    #expect(byteText(count) == text)
  }

  @Test("the message about a tail names both causes")
  func tail() {
    let tail = JournalReport.Tail(file: "log-2", offset: 8192, byteCount: 1)
    #expect(
      "\(tail)" == """
        log-2: 1 byte from offset 8192 on match no checksum: an incomplete write that was never \
        acknowledged, or damage to one or more of the newest saves
        """)
  }

  @Test("the shortage has the requested and the free bytes")
  func room() throws {
    let disk = SimulatedDisk(seed: 1, capacity: 20_000)
    let error = #expect(throws: JournalError.self) { _ = try openJournal(disk) }
    let room = SpaceShortage(
      place: disk.place, neededByteCount: 9 * 4096, freeByteCount: 20_000,
      reason: "No space left on device")
    #expect(error == .noRoom(room))
  }
}
