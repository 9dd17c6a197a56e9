import CommandLine
import SceneControl
import SceneModel

/// What every client is told.
extension Command {
  static var memoryWarning: Command {
    Command(
      "memory-warning", "Tell every client that memory is low.",
      details: """
        The broker then disconnects the scenes in the background. A scene with an assertion stays.
        """,
      options: [.timeout()],
      examples: [
        "scenectl memory-warning": "Returns when the scenes in the background are unattached."
      ])
  }

  static var timeChange: Command {
    Command(
      "time-change", "Tell every client that the day or the clock changed.",
      options: [.timeout()],
      examples: ["scenectl time-change": "Every client gets the same notification as at midnight."])
  }
}

extension Errand {
  /// Sends what needs no words, and returns when it is done.
  func tell(_ message: some RequestMessage) throws(ProgramError) -> ExitCode {
    let json = try ask { broker throws(ControlError) in
      try broker.result(of: broker.post(message), until: deadline)
    }
    if printsJSON { console.print(json) }
    return .success
  }
}
