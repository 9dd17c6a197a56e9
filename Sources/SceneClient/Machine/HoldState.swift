/// Whether the broker regards this client as the holder of a scene.
struct HoldState: Equatable {
  private enum State: Equatable {
    /// The client holds the session. → lost
    case held
    /// The connection was lost. → resuming; held, if an activation connects the session first
    case lost
    /// A resume has no reply. → held, lost, connectingAgain
    case resuming
    /// Another client had the session: the client requests a new scene, also from the next broker.
    /// → held, if an activation connects the session
    case connectingAgain
  }

  private var state = State.held

  // MARK: - Events

  /// The connection was lost.
  mutating func lost() {
    switch state {
    case .held, .lost, .resuming: state = .lost
    case .connectingAgain: break
    }
  }

  /// A resume was sent.
  mutating func resumeSent() {
    switch state {
    case .lost: state = .resuming
    case .held, .resuming, .connectingAgain: break
    }
  }

  /// The broker resumed the scene.
  mutating func resumed() {
    switch state {
    case .resuming: state = .held
    case .held, .lost, .connectingAgain: break
    }
  }

  /// The broker cannot resume the scene now; the client asks again later.
  mutating func resumePostponed() {
    switch state {
    case .resuming: state = .lost
    case .held, .lost, .connectingAgain: break
    }
  }

  /// The broker refused the resume, because another client had the session.
  mutating func resumeRefused() {
    switch state {
    case .resuming: state = .connectingAgain
    case .held, .lost, .connectingAgain: break
    }
  }

  /// An activation connected the session, and the scene continues.
  mutating func activated() {
    switch state {
    case .held, .lost, .resuming, .connectingAgain: state = .held
    }
  }

  // MARK: - State

  /// The request to send to the next broker.
  enum ReconnectAction {
    case none
    case resume
    case connectAgain
  }

  var reconnectAction: ReconnectAction {
    switch state {
    case .held, .resuming: .none
    case .lost: .resume
    case .connectingAgain: .connectAgain
    }
  }

  /// Whether the client holds the session, as far as is known.
  var isHeld: Bool {
    switch state {
    case .held: true
    case .lost, .resuming, .connectingAgain: false
    }
  }

  /// Whether a resume has no reply.
  var isResuming: Bool {
    switch state {
    case .resuming: true
    case .held, .lost, .connectingAgain: false
    }
  }

  /// Whether a request for a new scene has no reply.
  var isConnectingAgain: Bool {
    switch state {
    case .connectingAgain: true
    case .held, .lost, .resuming: false
    }
  }

  /// Whether the client can save an activity.
  var mayBeSaved: Bool {
    switch state {
    case .held, .resuming: true
    case .lost, .connectingAgain: false
    }
  }
}
