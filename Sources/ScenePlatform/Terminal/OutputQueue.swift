/// Output that a thread writes to a descriptor which this process shares with others.
///
/// No caller waits for the reader. Nonblocking mode is no alternative, because it would apply to
/// the other processes as well. A poll does not state how many bytes a terminal takes at once.
package final class OutputQueue: Sendable {
  private struct State {
    /// Texts in their order.
    var waiting: [String] = []
    /// The bytes that are accepted and not written.
    var byteCount = 0
    var hasThread = false
    /// The first error of a write.
    var failure: ErrorCode?
    var onFailure: (@Sendable () -> Void)?
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
    while true {
      let texts = state.wait { state -> [String]? in
        defer { state.waiting = [] }
        return state.waiting.isEmpty ? nil : state.waiting
      }
      // An error, as of a full disk, does not affect the next text.
      for text in texts ?? [] {
        var failure: ErrorCode?
        do throws(SystemError) { try writeAll(text, to: number) } catch { failure = error.code }
        didWrite(text, failure)
      }
    }
  }

  private func didWrite(_ text: String, _ failure: ErrorCode?) {
    let report = state.withLock { state -> (@Sendable () -> Void)? in
      state.byteCount -= text.utf8.count
      guard let failure, state.failure == nil else { return nil }
      state.failure = failure
      return state.onFailure
    }
    report?()
  }
}
