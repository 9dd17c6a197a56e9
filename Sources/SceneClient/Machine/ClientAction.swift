package import SceneModel

/// An action of the client, carried out in order.
enum ClientAction: Equatable, Sendable {
  case open
  /// After everything sent before is written.
  case close
  case send(ClientMessage)
  /// Runs after the earlier callbacks of the session.
  case call(SceneCall)
  /// Reports an activity that was not saved and that no call awaits, in the session's order.
  case report(SessionIdentifier, Activity?, SceneError)
  /// The broker has saved an activity, or removed it.
  case saved(SessionIdentifier, Activity?)
  /// Tells the delegate of a classic application, in the session's order, because a memory warning
  /// precedes the callback that ends the scene.
  case notify(SessionIdentifier, SceneApplication.Notice)
  /// Runs in the order of the scene of the observation, or of the application.
  case deliver(EventSource, ObservationUpdate)
  /// Runs in the order of the application.
  case delegate(DelegateMessage)
  case finish(RequestToken, Result<BrokerReply, SceneError>)
  case update(ClientUpdate)
  case wake(ClientTimer, after: Interval)
  /// The end of the client; nil if the program requested it.
  case stop(SceneError?)
}

/// A message to the broker.
enum ClientMessage: Equatable, Sendable {
  case request(Int64, ClientRequest)
  case answer(RequestIdentifier, CallAnswer)
  case unknown(RequestIdentifier, method: String)
}

/// A callback that the program handles.
package struct SceneCall: Equatable, Sendable {
  package var number: CallNumber
  package var callback: Callback
}

/// A change that concerns the whole application.
package enum ClientUpdate: Equatable, Sendable {
  case connection(SceneApplication.ConnectionState)
  case phase(ApplicationPhase)
  case notice(SceneApplication.Notice)
  /// The broker rejected this client for now; the client tries again.
  case rejected(SceneError)
  /// The broker resumed a scene after a loss of the connection.
  case resumed(SessionIdentifier)
  /// A session was discarded; this client was its last holder.
  case discarded(SessionIdentifier)
  /// The broker does not return a lost session to this client.
  case notReturned(SessionIdentifier, SceneError)
  /// A control activated a session of this client, so its window is to be shown.
  case activated(SessionIdentifier)
}

/// A question or a notification to the application delegate.
package enum DelegateMessage: Equatable, Sendable {
  /// A question, with the number under which it is answered.
  case question(Int64, Callback)
  case notification(BrokerNotification)
}
