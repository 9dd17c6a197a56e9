/// Output that a thread writes to a descriptor which this process shares with others.
///
/// No caller waits for the reader. Nonblocking mode is no alternative, because it would apply to
/// the other processes as well. A poll does not state how many bytes a terminal takes at once.
package final class OutputQueue: Sendable {
  private struct State {
    var waiting = Batch()
    /// The bytes that are accepted and not written.
    var byteCount = 0
    var hasThread = false
    /// The first error of a write.
    var failure: ErrorCode?
    var onFailure: (@Sendable () -> Void)?
  }

  /// Texts in their order. Each text is written with one call if possible.
  private struct Batch {
    var bytes: ContiguousArray<UInt8> = []
    var ends: ContiguousArray<Int> = []

    mutating func append(_ text: String) {
      bytes.append(contentsOf: text.utf8)
      ends.append(bytes.count)
    }

    mutating func clear() {
      bytes.removeAll(keepingCapacity: bytes.capacity <= OutputQueue.limit)
      ends.removeAll(keepingCapacity: true)
    }
  }

  /// The number of waiting bytes from which on a queue accepts no more.
  static let limit = 256 << 10

  private let number: Int32
  private let state = ConditionMutex(State())

  package init(to number: Int32) { self.number = number }

  /// Adds a text. Returns false if too much output waits. A text that is `required` is added
  /// nevertheless.
  package func offer(_ text: String, required: Bool) -> Bool {
    state.withLock { state in
      guard state.byteCount < Self.limit || required else { return false }
      if !state.hasThread { state.hasThread = start() }
      guard state.hasThread else { return false }
      state.waiting.append(text)
      state.byteCount += text.utf8.count
      return true
    }
  }

  /// Whether output waits for the reader.
  package var isBehind: Bool { state.withLock { $0.byteCount > 0 } }

  /// Waits until the queue accepts text.
  package func waitForRoom() { state.wait { $0.byteCount < Self.limit ? () : nil } }

  /// Waits until all output is written. Returns false at the deadline of the monotonic clock.
  @discardableResult
  package func wait(until deadline: Int64?) -> Bool {
    state.wait(until: deadline) { $0.byteCount == 0 ? true : nil } ?? false
  }

  /// The first error of a write; nil while all writes succeed.
  package var failure: ErrorCode? { state.withLock { $0.failure } }

  /// Calls `body` on the thread of this queue at the first error.
  package func onFailure(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.onFailure = body }
  }

  /// The thread blocks all signals: they belong to the threads that handle them, and a background
  /// process that writes must not stop.
  private func start() -> Bool {
    Signal.withAllBlocked { (try? Thread("output") { [self] in run() }) != nil }
  }

  private func run() {
    var batch = Batch()
    while true {
      batch.clear()
      let next = state.wait { state -> Batch? in
        guard !state.waiting.ends.isEmpty else { return nil }
        defer { state.waiting = batch }
        return state.waiting
      }
      guard let next else { return }
      batch = next
      let error = write(batch)
      let count = batch.bytes.count
      let report = state.withLock { state -> (@Sendable () -> Void)? in
        state.byteCount -= count
        guard let error, state.failure == nil else { return nil }
        state.failure = error
        return state.onFailure
      }
      report?()
    }
  }

  /// Writes each text. An error, as of a full disk, does not affect the next text.
  private func write(_ batch: borrowing Batch) -> ErrorCode? {
    var failure: ErrorCode?
    batch.bytes.withUnsafeBytes { bytes in
      var start = 0
      for end in batch.ends {
        do throws(SystemError) {
          try writeAll(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), to: number)
        } catch {
          failure = failure ?? error.code
        }
        start = end
      }
    }
    return failure
  }
}
