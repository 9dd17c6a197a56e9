/// How a scene of this client stands with the broker. It ends with the scene, in whatever case.
struct Standing: Equatable {
  private enum State: Equatable {
    /// The broker has it so. → lost
    case attached
    /// The broker went. → resuming; attached, if the session is brought here first
    case lost
    /// The broker was asked to go on. → attached, lost, startingOver
    case resuming
    /// Somebody else has had the session: it is asked for afresh, from the next broker too. A new
    /// scene comes of that. → attached, if the session is brought here after all
    case startingOver
  }

  private var state = State.attached

  // MARK: - What happens

  /// The broker went.
  mutating func lost() {
    switch state {
    case .attached, .lost, .resuming: state = .lost
    case .startingOver: break
    }
  }

  /// The broker was asked to go on with the scene.
  mutating func asked() {
    switch state {
    case .lost: state = .resuming
    case .attached, .resuming, .startingOver: break
    }
  }

  /// The broker goes on with the scene.
  mutating func resumed() {
    switch state {
    case .resuming: state = .attached
    case .attached, .lost, .startingOver: break
    }
  }

  /// The broker does not go on with the scene now, and is asked again later.
  mutating func putOff() {
    switch state {
    case .resuming: state = .lost
    case .attached, .lost, .startingOver: break
    }
  }

  /// The broker does not go on with the scene: somebody else has had the session.
  mutating func refused() {
    switch state {
    case .resuming: state = .startingOver
    case .attached, .lost, .startingOver: break
    }
  }

  /// The session was brought here, and the scene goes on.
  mutating func brought() {
    switch state {
    case .attached, .lost, .resuming, .startingOver: state = .attached
    }
  }

  // MARK: - What follows

  /// What the broker is to be asked for when it is there.
  enum Wish {
    case nothing
    case goingOn
    case startingOver
  }

  var wish: Wish {
    switch state {
    case .attached, .resuming: .nothing
    case .lost: .goingOn
    case .startingOver: .startingOver
    }
  }

  /// Whether the broker has it so, as far as is known.
  var isAttached: Bool {
    switch state {
    case .attached: true
    case .lost, .resuming, .startingOver: false
    }
  }

  /// Whether the answer to a resume still counts.
  var isResuming: Bool {
    switch state {
    case .resuming: true
    case .attached, .lost, .startingOver: false
    }
  }

  /// Whether the answer to a start afresh still counts.
  var isStartingOver: Bool {
    switch state {
    case .startingOver: true
    case .attached, .lost, .resuming: false
    }
  }

  /// Whether the broker will take an activity for it, as far as is known.
  var mayBeSaved: Bool {
    switch state {
    case .attached, .resuming: true
    case .lost, .startingOver: false
    }
  }
}
