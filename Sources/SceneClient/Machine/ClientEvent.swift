package import SceneModel

/// Something that happened outside, as far as the client's rules must know it.
enum ClientEvent: Equatable, Sendable {
  // The connection
  case started
  /// There is a connection to the broker.
  case opened
  /// There is none to be had now.
  case notOpened(SceneError)
  /// The connection is gone.
  case lost
  /// The broker is about to close the connection, and says why.
  case dismissed(SceneError)
  case due(ClientTimer)

  // What the broker says
  case replied(Int64, Result<BrokerReply, SceneError>)
  case called(RequestIdentifier, Callback)
  /// A question to the application delegate.
  case asked(Int64, DelegateCallback)
  /// A request this version does not know.
  case calledUnknown(RequestIdentifier, method: String)
  case notified(BrokerNotification)

  // What the program wants
  case requested(Ticket?, ClientRequest)
  /// An activity to keep; nil clears.
  case saved(SessionIdentifier, Activity?, Ticket?)
  /// A topic is to be observed, from a position on or from now on.
  case observed(EventSource, after: EventPosition?)
  case ceased(EventSource)
  /// The program is done with a callback; without an answer the broker is not told.
  case answered(CallNumber, CallAnswer?)
  /// The application delegate's answer to a question.
  case delegateAnswered(Int64, DelegateAnswer)
  /// The scenes are to end in order, then the connection.
  case stopped
}

/// What a program's request is called until it is answered.
struct Ticket: Hashable, Sendable {
  var number: Int64
}

/// What a callback is called from its arrival until the program is done with it.
package struct CallNumber: Hashable, Sendable {
  var number: Int64
}

/// What a program answers to a callback.
package enum CallAnswer: Equatable, Sendable {
  case done
  /// To `stateRestorationActivity` alone.
  case activity(Presence<Activity>)
  /// To `willConnect` it means that the scene is refused.
  case failed(message: String)
}

enum ClientTimer: Hashable, Sendable {
  /// Another attempt to reach the broker.
  case reconnect
  /// The connection has lasted for a while.
  case steady
  /// Another attempt to have a session again.
  case again(SessionIdentifier)
  /// Another attempt to save what the broker could not keep at that time.
  case save(SessionIdentifier)
  /// Another attempt at a request that was overtaken.
  case repeatRequest(Int64)
  /// The end of the time in which scenes may end in order.
  case stopping
}
