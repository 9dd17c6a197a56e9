import ScenePlatform

/// The records that some threads decode for the caller, in order.
final class DecodingQueue<Content: JournalContent>: Sendable {
  /// Records of one file.
  struct Batch: Sendable {
    var file = ""
    var records = JournalRecords()
    /// The offsets of the records in the file.
    var offsets: [Int] = []
  }

  private enum Entry: Sendable {
    case waiting(Batch)
    case taken
    case decoded(Batch, Content.DecodedRecords)
  }

  private struct State: Sendable {
    var entries: [Entry] = []
    /// The number of the first entry. Later entries have the next numbers.
    var first = 0
    var threadCount = 0
    var isEnding = false

    /// Takes the first batch that is not decoded.
    mutating func takeBatch() -> (number: Int, batch: Batch)? {
      for index in entries.indices {
        guard case .waiting(let batch) = entries[index] else { continue }
        entries[index] = .taken
        return (first + index, batch)
      }
      return nil
    }
  }

  private enum Work: Sendable {
    case decode(Batch, number: Int)
    case apply(Batch, Content.DecodedRecords)
    case end
  }

  private let state = ConditionMutex(State())

  func add(_ batch: Batch) { state.withLock { $0.entries.append(.waiting(batch)) } }

  /// Waits for the first batch and removes it. Meanwhile decodes batches that no thread has taken.
  /// There must be a batch.
  func removeFirst() -> (batch: Batch, records: Content.DecodedRecords) {
    while true {
      let work = state.wait { state -> Work? in
        if case .decoded(let batch, let records) = state.entries[0] {
          state.entries.removeFirst()
          state.first += 1
          return .apply(batch, records)
        }
        return state.takeBatch().map { .decode($0.batch, number: $0.number) }
      }
      switch work {
      case .decode(let batch, let number): decode(batch, number: number)
      case .apply(let batch, let records): return (batch, records)
      case .end, nil: preconditionFailure("the wait has no deadline, and only threads end")
      }
    }
  }

  private func decode(_ batch: Batch, number: Int) {
    ProcessMemory.prepare(byteCount: 2 * batch.records.byteCount)
    let records = Content.decode(batch.records)
    state.withLock { $0.entries[number - $0.first] = .decoded(batch, records) }
  }

  // MARK: - Threads

  /// Starts a thread. Without one, the caller decodes.
  func startThread() {
    state.withLock { $0.threadCount += 1 }
    let thread = try? Thread("journal decoder") { [self] in
      decodeUntilEnd()
      state.withLock { $0.threadCount -= 1 }
    }
    if thread == nil { state.withLock { $0.threadCount -= 1 } }
  }

  private func decodeUntilEnd() {
    while true {
      let work = state.wait { state -> Work? in
        if state.isEnding { return .end }
        return state.takeBatch().map { .decode($0.batch, number: $0.number) }
      }
      guard case .decode(let batch, let number) = work else { return }
      decode(batch, number: number)
    }
  }

  /// Ends all threads. Drops the batches that no thread has taken.
  func end() {
    state.withLock { $0.isEnding = true }
    _ = state.wait { $0.threadCount == 0 ? true : nil }
  }
}
