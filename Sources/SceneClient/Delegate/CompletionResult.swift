/// The result that a method passes to its completion handler.
struct CompletionResult {
  private let results: AsyncStream<Bool>
  private let continuation: AsyncStream<Bool>.Continuation

  init() { (results, continuation) = AsyncStream.makeStream() }

  /// A completion handler. Only its first call counts; a release without a call has the effect of
  /// false.
  func handler() -> @Sendable (Bool) -> Void {
    let result = OneShot(orElse: false) { [continuation] in
      continuation.yield($0)
      continuation.finish()
    }
    return { result.complete($0) }
  }

  /// Waits for the handler; false if the task is cancelled.
  var value: Bool {
    get async { await results.first { _ in true } ?? false }
  }
}
