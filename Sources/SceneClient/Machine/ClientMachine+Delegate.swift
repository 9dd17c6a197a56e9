import SceneModel

/// The questions to an application delegate, and its end.
///
/// Connection, `initialize` and back-off are those of every client. A delegate differs in two
/// points:
///
/// - It ends with an error of its first connection.
/// - It ends when the broker closes the connection after `applicationWillTerminate`.
extension ClientMachine {
  mutating func takeQuestion(_ callback: Callback, _ number: Int64) {
    delegate.questions.insert(number)
    if callback.kind == .willTerminate { delegate.endsWithConnection = true }
    actions.append(.delegate(.question(number, callback)))
  }

  /// A question is lost with its connection, and its answer is not sent.
  mutating func finishQuestion(_ number: Int64, _ answer: CallAnswer) {
    guard delegate.questions.remove(number) != nil else { return }
    actions.append(.send(.answer(.number(number), answer)))
  }

  /// Whether the client ends when the broker rejects it or closes a connection that is not ready.
  func ends(with error: SceneError) -> Bool {
    let isFirstAttempt = !hasBeenReady && !waitsForBroker
    return error.retry == .never || isFirstAttempt && kind == .applicationDelegate
  }
}

/// The state of an application delegate's connection.
struct DelegateConnection: Equatable {
  /// The questions of this connection that are not answered.
  var questions: Set<Int64> = []
  /// The application ends, so the end of the connection is expected.
  var endsWithConnection = false
}
