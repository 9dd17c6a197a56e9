package import SceneModel

/// What the client's rules want done, in this order.
enum ClientAction: Equatable, Sendable {
  case open
  /// Once all that was sent before is written.
  case close
  case send(ClientMessage)
  /// Behind whatever the program is still doing for this session.
  case call(SceneCall)
  /// An activity that nobody waits for could not be kept. In the session's order too.
  case report(SessionIdentifier, Activity?, SceneError)
  /// The delegate of a classic application is told. In the session's order too, because a memory
  /// warning comes before the callback that ends the scene.
  case notify(SessionIdentifier, SceneApplication.Notice)
  /// In the order of the scene that it is tied to, or of the application.
  case hand(EventSource, EventNews)
  case finish(Ticket, Result<BrokerReply, SceneError>)
  case tell(ClientNews)
  case wake(ClientTimer, after: Interval)
  /// The end, and why, if it was not asked for.
  case stop(SceneError?)
}

/// What a client says to the broker.
enum ClientMessage: Equatable, Sendable {
  case request(Int64, ClientRequest)
  case answer(RequestIdentifier, CallAnswer)
  case delegateAnswer(Int64, DelegateAnswer)
  case unknown(RequestIdentifier, method: String)
}

/// A callback for the program to handle.
package struct SceneCall: Equatable, Sendable {
  package var number: CallNumber
  package var callback: Callback
}

/// What the program is told about the application as a whole.
package enum ClientNews: Equatable, Sendable {
  case connection(LinkPhase)
  case phase(ApplicationPhase)
  case notice(SceneApplication.Notice)
  /// The broker would not have this client now; attempts go on.
  case turnedAway(SceneError)
  /// A scene goes on where it was when the broker was lost.
  case resumed(SessionIdentifier)
  /// A session is gone for good that this client was the last to have.
  case discarded(SessionIdentifier)
  /// A session that this client wanted to have again is not to be had.
  case notReturned(SessionIdentifier, SceneError)
  case delegate(DelegateNews)
}

/// What the broker asks and tells the application delegate.
package enum DelegateNews: Equatable, Sendable {
  /// A question, with the number under which it is answered.
  case asked(Int64, DelegateCallback)
  case told(BrokerNotification)
}

/// How the connection to the broker is, for people.
package enum LinkPhase: Equatable, Sendable {
  case connecting
  case connected
  /// The broker was lost, or is not there yet; attempts go on.
  case waiting
  case stopped
}
