import JSON
import SceneClient
import SceneModel

/// Something that whoever watches a scene is told, as text or as JSON.
enum Happening: Equatable, Sendable {
  /// A callback, and how it is answered; nil when it is left unanswered on purpose.
  case callback(Callback, CallAnswer?)
  case replied(ShellCommand.Verb, RawJSON?, BrokerReply)
  case failed(ShellCommand.Verb?, RawJSON?, SceneError)
  /// The broker is gone, or not there yet.
  case waiting
  case connected
  /// The scene goes on where it was.
  case resumed(SessionIdentifier)
  /// The scene is over, and may come back.
  case idle(SessionIdentifier, DisconnectReason)
  /// The last thing.
  case ended(SessionIdentifier?, DisconnectReason)
}

/// How happenings are told.
protocol Telling: Sendable {
  /// Lines for standard output.
  func lines(for happening: Happening) -> [String]
}
