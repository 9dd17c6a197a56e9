/// Whether the broker regards this client as the holder of a scene.
enum HoldState: Equatable {
  /// The client holds the session. → lost
  case held
  /// The connection was lost. → resuming; held, if an activation connects the session first
  case lost
  /// A resume has no reply. → held, lost, connectingAgain
  case resuming
  /// Another client had the session: the client requests a new scene, also from the next broker. →
  /// held, if an activation connects the session
  case connectingAgain

  // MARK: - Events

  mutating func connectionLost() { if self != .connectingAgain { self = .lost } }

  mutating func resumeSent() { if self == .lost { self = .resuming } }

  mutating func resumed() { if self == .resuming { self = .held } }

  /// The broker cannot resume the scene now; the client asks again later.
  mutating func resumePostponed() { if self == .resuming { self = .lost } }

  /// The broker refused the resume, because another client had the session.
  mutating func resumeRefused() { if self == .resuming { self = .connectingAgain } }

  /// An activation connected the session, and the scene continues.
  mutating func activated() { self = .held }

  // MARK: - State

  /// Whether the client holds the session, as far as is known.
  var isHeld: Bool { self == .held }

  /// Whether a resume has no reply.
  var isResuming: Bool { self == .resuming }

  /// Whether a request for a new scene has no reply.
  var isConnectingAgain: Bool { self == .connectingAgain }

  /// Whether the client can save an activity.
  var mayBeSaved: Bool { self == .held || self == .resuming }
}
