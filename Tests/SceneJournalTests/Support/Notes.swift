import SceneJournal
import SceneTestSupport

/// The reason to reject a note.
struct NoteError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The content of the tests' journals: texts by number.
struct Notes: JournalContent, Equatable {
  static let set: UInt8 = 1
  static let clear: UInt8 = 2

  private(set) var texts: [Int: String] = [:]
  /// The numbers of the notes that are not written, the next one last; nil before the first one.
  private var rest: [Int]?

  init() {}

  static func == (one: Notes, other: Notes) -> Bool { one.texts == other.texts }

  mutating func visit(kind: UInt8, body: Span<UInt8>, at offset: Int = 0) throws(NoteError) {
    let (first, text) = body.withUnsafeBufferPointer { bytes in
      let end = bytes.firstIndex(of: UInt8(ascii: "=")) ?? bytes.count
      return (
        String(decoding: bytes[..<end], as: UTF8.self),
        String(decoding: bytes[end...].dropFirst(), as: UTF8.self)
      )
    }
    guard let number = Int(first) else {
      throw NoteError("a note without a number: \(first)")
    }
    switch kind {
    case Self.set: texts[number] = text
    case Self.clear: texts[number] = nil
    default: throw NoteError("kind \(kind) is not known")
    }
  }

  var byteCount: Int { texts.values.reduce(0) { $0 + $1.utf8.count + 10 } }

  mutating func appendNextRecords(
    upTo byteCount: Int, to records: inout JournalRecords
  ) -> Bool {
    var numbers = rest ?? texts.keys.sorted().reversed()
    while records.byteCount < byteCount, let number = numbers.popLast() {
      records.set(number, texts[number] ?? "")
    }
    rest = numbers
    return !numbers.isEmpty
  }
}

extension Notes: CustomStringConvertible {
  /// A short form for the report of a failed test.
  var description: String {
    let parts = texts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.prefix(8))" }
    return "[\(parts.joined(separator: " "))]"
  }
}

extension JournalRecords {
  init(_ texts: KeyValuePairs<Int, String>) {
    self.init()
    for (number, text) in texts { set(number, text) }
  }

  mutating func set(_ number: Int, _ text: String) {
    append(kind: Notes.set, body: ContiguousArray("\(number)=\(text)".utf8).span)
  }

  mutating func clear(_ number: Int) {
    append(kind: Notes.clear, body: ContiguousArray("\(number)".utf8).span)
  }
}

extension Notes {
  /// The notes after these records.
  func adding(_ records: JournalRecords) throws -> Notes {
    var notes = self
    try records.forEach { (kind, body) throws(NoteError) in
      try notes.visit(kind: kind, body: body)
    }
    return notes
  }
}

extension JournalOptions {
  /// Logs of `pages` pages plus the header, and all other sizes in proportion.
  static func small(pages: Int = 8, durability: Durability = .disk) -> JournalOptions {
    var options = JournalOptions()
    options.durability = durability
    options.logByteCount = (pages + 1) * 4096
    options.smallestLogByteCount = options.logByteCount
    options.ballastByteCount = 0
    options.zeroAheadByteCount = 8192
    options.batchByteLimit = min(2, pages) * 4096 - 28
    options.waitingByteCount = 4096
    options.stepByteCount = 4096
    options.checkpointBatchByteCount = 1024
    options.compactionByteCount = 3 * options.logByteCount
    options.logLimit = 5
    return options
  }

  /// Small random sizes.
  static func random(using random: inout SeededGenerator) -> JournalOptions {
    var options = small(pages: .random(in: 2...12, using: &random))
    options.smallestLogByteCount = 4096 * .random(in: 2...13, using: &random)
    options.ballastByteCount = 4096 * .random(in: 0...9, using: &random)
    options.zeroAheadByteCount = 4096 * .random(in: 0...4, using: &random)
    options.stepByteCount = .random(in: 1000...20_000, using: &random)
    options.checkpointBatchByteCount = .random(in: 100...4000, using: &random)
    options.compactionByteCount = options.logByteCount * .random(in: 0...3, using: &random)
    options.compactionFactor = .random(in: 1...3, using: &random)
    options.logLimit = .random(in: 1...6, using: &random)
    return options
  }
}

/// Opens a journal whose content a test does not read.
func openJournal(
  _ storage: any Storage, _ options: JournalOptions = .small()
) throws(JournalError) -> JournalWriter {
  var notes = Notes()
  return try JournalWriter(storage, options: options, content: &notes)
}

/// Opens a journal, which begins a new log, and returns its content.
func recover(
  _ disk: SimulatedDisk, _ options: JournalOptions = .small()
) throws(JournalError) -> Notes {
  var notes = Notes()
  _ = try JournalWriter(disk, options: options, content: &notes)
  return notes
}

/// A start on a full disk changes no file. Recovers after the disk has space.
func recoverWithRoom(
  _ disk: SimulatedDisk, _ options: JournalOptions
) throws(JournalError) -> Notes {
  do throws(JournalError) {
    return try recover(disk, options)
  } catch {
    guard case .noRoom = error else { throw error }
    disk.capacity = .max
    return try recover(disk, options)
  }
}

/// The offsets of the parts of a journal, and its content.
struct Layout: JournalVisitor {
  var files: [(file: JournalFile, batches: [JournalBatch])] = []
  var notes = Notes()

  mutating func visit(_ file: JournalFile) { files.append((file, [])) }
  mutating func visit(_ batch: JournalBatch) {
    files[files.count - 1].batches.append(batch)
  }
  mutating func visit(
    kind: UInt8, body: Span<UInt8>, at offset: Int
  ) throws(NoteError) {
    try notes.visit(kind: kind, body: body, at: offset)
  }
}

extension JournalError {
  /// The failed disk operation; nil for another error.
  var failedOperation: StorageFailure? {
    if case .storage(let failure) = self { failure } else { nil }
  }
}
