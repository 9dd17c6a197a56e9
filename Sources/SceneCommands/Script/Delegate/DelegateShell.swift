import SceneClient
import SceneModel

/// An application delegate in a shell: prints the questions and notifications of the broker.
final class DelegateShell: DelegateHandler {
  private let source: any AnswerSource
  private let output: DelegateOutput

  init(_ source: any AnswerSource, _ output: DelegateOutput) {
    self.source = source
    self.output = output
  }

  func handle(_ number: Int64, _ callback: Callback) -> DelegateAnswer? {
    source.answer(number, callback)
  }

  func didReceive(_ notification: BrokerNotification) {
    guard let text = DelegateLines.text(notification), let json = DelegateLines.json(notification)
    else { return }
    output.show(text, json)
    if case .overran = notification { source.questionExpired() }
  }

  func didReceive(_ state: SceneApplication.ConnectionState) {
    if state != .connected { source.disconnected() }
    let text =
      state == .connected
      ? "connected as the application delegate; press Ctrl-C to end"
      : "disconnected; waiting for the broker (press Ctrl-C to end)"
    output.show(text, DelegateLines.json(state))
  }

  func didReceivePong() { source.pongReceived() }
}
