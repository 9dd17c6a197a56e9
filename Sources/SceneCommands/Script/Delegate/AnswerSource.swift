import SceneClient
import SceneCommandLine
import SceneModel
import ScenePlatform
import SceneScript

/// An application delegate in a shell: prints the questions and notifications of the broker, and
/// answers.
protocol AnswerSource: DelegateHandler {
  var output: DelegateOutput { get }
  /// Prepares for questions. Called once, before the first question.
  func begin() throws(SystemError)
  /// The current question exceeded its budget.
  func questionExpired()
  /// The connection and all its open questions are gone.
  func disconnected()
  /// Ends the processes of the source.
  func close()
}

extension AnswerSource {
  func questionExpired() {}
  func didReceivePong() {}
  func close() {}

  func didReceive(_ notification: BrokerNotification) {
    guard let (text, json) = DelegateLines.lines(notification) else { return }
    output.show(text, json)
    if case .overran = notification { questionExpired() }
  }

  func didReceive(_ state: SceneApplication.ConnectionState) {
    if state != .connected { disconnected() }
    let text =
      state == .connected
      ? "connected as the application delegate; press Ctrl-C to end"
      : "disconnected; waiting for the broker (press Ctrl-C to end)"
    output.show(text, DelegateLines.json(state))
  }
}

extension LineBuffer {
  /// The lines of standard input; nil if a terminal does not send its keys to this process.
  static func ofStandardInput() throws(SystemError) -> LineBuffer? {
    let number = StandardStream.input.number
    guard !StandardStream.input.isTerminal || Terminal.isInForeground(of: number) else {
      return nil
    }
    return try LineBuffer(try FileDescriptor.duplicating(number))
  }
}
