import ScenePlatform

/// Replays a long journal: threads decode its records in batches, and the caller applies them in
/// order.
struct ParallelReplay<Content: JournalContent>: JournalVisitor {
  private var content = Content()
  /// The error of the first invalid record. Later records are dropped.
  private var failure: JournalError?
  private var batch = DecodingQueue<Content>.Batch()
  /// The number of batches in the queue.
  private var addedCount = 0
  private let queue = DecodingQueue<Content>()
  private let batchByteCount: Int
  /// The most batches in memory.
  private let batchLimit: Int

  /// `file` is the name of the file whose records come first.
  private init(_ options: JournalOptions, threadCount: Int, file: String) {
    batchByteCount = options.decodingByteCount
    batch.file = file
    batchLimit = 2 * threadCount + 2
    for _ in 0..<threadCount { queue.startThread() }
  }

  mutating func visit(_ file: JournalFile) {
    submit()
    batch.file = file.name
  }

  mutating func visit(kind: UInt8, body: Span<UInt8>, at offset: Int) throws(Never) {
    batch.records.append(kind: kind, body: body)
    batch.offsets.append(offset)
    if batch.records.byteCount >= batchByteCount { submit() }
  }

  /// Hands the collected records to the threads, and applies the oldest batches above the limit.
  private mutating func submit() {
    guard !batch.offsets.isEmpty else { return }
    let file = batch.file
    queue.add(batch)
    addedCount += 1
    while addedCount >= batchLimit { applyFirst() }
    batch = DecodingQueue.Batch()
    batch.file = file
  }

  private mutating func applyFirst() {
    let (batch, records) = queue.removeFirst()
    addedCount -= 1
    guard failure == nil else { return }
    do throws(InvalidRecord<Content.Failure>) {
      // A second reference would copy each session that a later record changes.
      try content.apply(consume records)
    } catch {
      failure = .damaged(
        JournalDamage(
          file: batch.file, offset: batch.offsets[error.index], cause: .content("\(error.reason)")))
    }
  }

  /// Applies the collected records and ends the threads. Returns the memory of the batches to the
  /// system.
  private mutating func end() {
    submit()
    while failure == nil, addedCount > 0 { applyFirst() }
    queue.end()
    ProcessMemory.returnUnused()
  }

  /// Reads the rest of a journal into `content`. Throws the error of the first invalid record
  /// before an error of the reading, as the record is in front of the damage.
  static func finish(
    _ reading: inout JournalReading, into content: inout Content, options: JournalOptions,
    threadCount: Int
  ) throws(JournalError) {
    var replay = ParallelReplay(
      options, threadCount: threadCount, file: reading.report.files.last ?? "")
    swap(&replay.content, &content)
    defer { swap(&replay.content, &content) }
    var damage: JournalError?
    do throws(JournalError) {
      while replay.failure == nil, try reading.step(&replay, upTo: options.stepByteCount) {}
    } catch {
      damage = error
    }
    replay.end()
    if let error = replay.failure ?? damage { throw error }
  }
}
