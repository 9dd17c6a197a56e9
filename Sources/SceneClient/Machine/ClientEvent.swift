package import SceneModel
import Synchronization

/// An event that the client machine handles.
enum ClientEvent: Equatable, Sendable {
  // The connection
  case started
  /// The socket is connected.
  case opened
  /// The socket cannot be connected.
  case notOpened(SceneError)
  /// The connection was lost. The socket has not sent these requests.
  case lost(unsent: Set<Int64> = [])
  /// The broker closes the connection for this reason.
  case dismissed(SceneError)
  case due(ClientTimer)

  // From the broker
  case replied(Int64, Result<BrokerReply, SceneError>)
  case called(RequestIdentifier, Callback)
  /// A question to the application delegate.
  case delegateAsked(Int64, Callback)
  /// A request that this version does not know.
  case calledUnknown(RequestIdentifier, method: String)
  case notified(BrokerNotification)

  // From the program
  case requested(RequestToken?, ClientRequest)
  /// Saves an activity; nil removes it.
  case saveRequested(SessionIdentifier, Activity?, RequestToken?)
  /// The program no longer waits for the reply of a request.
  case abandoned(RequestToken)
  /// Observes a topic from a position, or from now on.
  case observed(EventSource, after: EventPosition?)
  case ceased(EventSource)
  /// The program has handled a callback. Without an answer the broker receives none.
  case answered(CallNumber, CallAnswer?)
  /// The application delegate's answer to a question.
  case delegateAnswered(Int64, CallAnswer)
  /// Ends the scenes in order, then the connection. The cause is nil if the user closes the scenes.
  case stopped(by: DisconnectCause? = nil)
}

/// Identifies a request of the program until its reply.
package struct RequestToken: Hashable, Sendable {
  var number: Int64

  private static let last = Atomic<Int64>(0)

  /// A token that no other request of this process has.
  static func next() -> RequestToken {
    RequestToken(number: last.add(1, ordering: .relaxed).newValue)
  }
}

/// Identifies a callback until the program has handled it.
package struct CallNumber: Hashable, Sendable {
  var number: Int64
}

/// The program's answer to a callback of a scene, or to a question to the application delegate.
package enum CallAnswer: Equatable, Sendable {
  case done
  /// Answers `stateRestorationActivity` only.
  case activity(Patch<Activity>)
  /// Answers `didFinishLaunching` only.
  case launched(accepted: Bool)
  /// Answers `configurationForConnecting` only.
  case configuration(ConfigurationForConnecting.Answer)
  /// Answers a question by text of a command or a user, which the broker checks.
  case carried(OpaqueObject)
  /// As an answer to `willConnect`, it refuses the scene.
  case failed(message: String)
}

enum ClientTimer: Hashable, Sendable {
  /// The next attempt to connect.
  case reconnect
  /// The connection has lasted long enough to reset the back-off.
  case steady
  /// The next attempt to resume or connect a session.
  case again(SessionIdentifier)
  /// The next attempt to save an activity that the broker could not take.
  case save(SessionIdentifier)
  /// The next attempt at a superseded request.
  case repeatRequest(Int64)
  /// The timeout for the orderly end of the scenes.
  case stopping
}
