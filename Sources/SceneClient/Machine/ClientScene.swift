import SceneModel

/// A scene of this client, connected or lost with the broker.
struct ClientScene: Equatable {
  /// The hold to send with a resume.
  var hold: Int64
  /// The state after all received callbacks.
  var state: ActivationState = .unattached
  var holdState = HoldState.held
  /// The connection options, for a new request if the broker is lost before the scene connects.
  var options: SceneModel.ConnectionOptions?
  /// Whether the scene stays in the background, as far as is known.
  var staysInBackground: Bool
  /// Whether this client requested the scene for the foreground, which it has not entered yet.
  var mustEnterForeground: Bool
  /// Whether the scene entered the background without a request for its activity.
  var needsActivityRequest = false
  /// The newest callback.
  var lastCall: CallNumber?
  var saves = SaveQueue()
  /// The sequence number of the scene in this client.
  var sequence: Int64

  /// Whether the program has received `willConnect`.
  var hasConnected: Bool { state > .unattached }

  /// Whether `hold` is the next hold, so that no other client had the session in between.
  func isFollowed(by hold: Int64) -> Bool {
    self.hold.addingReportingOverflow(1) == (hold, false)
  }
}

/// A session without a scene that this client requests again.
struct LostSession: Equatable {
  let session: SessionIdentifier
  /// Whether its scene stays in the background.
  var staysInBackground: Bool
  var options: SceneModel.ConnectionOptions?

  var request: SceneConnect {
    SceneConnect(session: session, background: staysInBackground, options: options)
  }
}

/// The activities of a scene that are not confirmed as saved.
struct SaveQueue: Equatable {
  /// Whether a save has no reply; the next one waits.
  var isSending = false
  /// Whether the broker could not take the last save; the next one is delayed.
  var isPostponed = false
  /// The newest unsent save.
  var next: PendingSave?
  /// The answer to the last `stateRestorationActivity`, which the broker does not confirm.
  var unconfirmed: Activity?

  /// Replaces the unsent save, and takes over its completions.
  mutating func add(_ save: PendingSave) {
    unconfirmed = nil
    next = PendingSave(activity: save.activity, tokens: (next?.tokens ?? []) + save.tokens)
  }

  /// Restores the activity that may not have arrived. The one of a resume is the oldest.
  mutating func takeBackAll(carried: Activity?) {
    if !isSending, next == nil, let activity = unconfirmed ?? carried {
      next = PendingSave(activity: activity)
    }
    unconfirmed = nil
  }

  /// Restores a save that may not have arrived, unless a newer one waits.
  mutating func takeBack(_ save: PendingSave) {
    isSending = false
    guard let newer = next else {
      // A later answer is newer.
      next = PendingSave(activity: unconfirmed ?? save.activity, tokens: save.tokens)
      return
    }
    next = PendingSave(activity: newer.activity, tokens: save.tokens + newer.tokens)
  }

  /// Records an answer to the broker; a waiting save is older.
  mutating func answer(_ activity: Activity) {
    unconfirmed = activity
    if let tokens = next?.tokens {
      next = tokens.isEmpty ? nil : PendingSave(activity: activity, tokens: tokens)
    }
  }
}

/// An activity to save, and its completions.
struct PendingSave: Equatable {
  /// Nil removes the saved activity.
  var activity: Activity?
  var tokens: [RequestToken] = []
}
