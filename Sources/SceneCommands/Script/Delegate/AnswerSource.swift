import SceneClient
import SceneCommandLine
import SceneModel
import ScenePlatform
import SceneScript

/// The source of the answers of an application delegate in a shell.
protocol AnswerSource: Sendable {
  /// Prepares for questions. Called once, before the first question.
  func begin() throws(SystemError)
  /// Prints a question. Returns the answer, or nil to answer later.
  func answer(_ number: Int64, _ callback: Callback) -> DelegateAnswer?
  /// The current question exceeded its budget.
  func questionExpired()
  /// The connection and all its open questions are gone.
  func disconnected()
  /// The broker replied to a ping.
  func pongReceived()
  /// Ends the processes of the source.
  func close()
}

extension AnswerSource {
  func questionExpired() {}
  func pongReceived() {}
  func close() {}
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
