import SceneModel

/// A scene that this client has, or had when the broker was lost.
struct HeldScene: Equatable {
  /// Shown when the client resumes.
  var hold: Int64
  /// Where it is once the program has handled every callback that has come.
  var state: ActivationState = .unattached
  var standing = Standing()
  /// What it is to be connected with, should the broker go before the program hears of it.
  var options: SceneModel.ConnectionOptions?
  /// It is in the background to stay, as far as is known.
  var isResting: Bool
  /// It went to the background and has not been asked for its activity.
  var owesActivity = false
  /// The newest callback.
  var lastCall: CallNumber?
  var saves = Saves()
  /// Counts the scenes of this client, so that they are gone through in their order.
  var sequence: Int64

  /// Whether the program has heard of it.
  var isKnown: Bool { state > .unattached }

  /// Whether this is the session's next hold: nobody else has had it in between.
  func isFollowed(by hold: Int64) -> Bool {
    self.hold.addingReportingOverflow(1) == (hold, false)
  }
}

/// A session that this client wants to have again and has no scene of.
struct LostSession: Equatable {
  let session: SessionIdentifier
  /// Whether its scene is to stay in the background.
  var isResting: Bool
  var options: SceneModel.ConnectionOptions?

  var request: SceneConnect {
    SceneConnect(session: session, background: isResting, options: options)
  }
}

/// What of a scene's activity is not known to be on disk.
struct Saves: Equatable {
  /// One is on its way; the next waits for its reply.
  var isSending = false
  /// The broker could not keep the last one at that time: the next waits for a while.
  var isPutOff = false
  /// The newest that has not been sent.
  var next: Save?
  /// The answer to the last question for it, which the broker does not confirm.
  var unconfirmed: Activity?

  /// The newest wins; those who wait for an older one wait for this one instead.
  mutating func add(_ save: Save) {
    unconfirmed = nil
    next = Save(activity: save.activity, tickets: (next?.tickets ?? []) + save.tickets)
  }

  /// Takes back all that may not have arrived; what went along with a resume is the oldest of it.
  mutating func takeBackAll(carried: Activity?) {
    if !isSending, next == nil, let activity = unconfirmed ?? carried {
      next = Save(activity: activity)
    }
    unconfirmed = nil
  }

  /// Takes back one that may not have arrived. It is older than the one that waits.
  mutating func takeBack(_ save: Save) {
    isSending = false
    guard let newer = next else {
      // What was answered later is newer too.
      next = Save(activity: unconfirmed ?? save.activity, tickets: save.tickets)
      return
    }
    next = Save(activity: newer.activity, tickets: save.tickets + newer.tickets)
  }

  /// The broker was answered with this one, so what waits is older.
  mutating func answer(_ activity: Activity) {
    unconfirmed = activity
    if let tickets = next?.tickets {
      next = tickets.isEmpty ? nil : Save(activity: activity, tickets: tickets)
    }
  }
}

/// One activity to be kept, and who waits for that.
struct Save: Equatable {
  /// Nil clears.
  var activity: Activity?
  var tickets: [Ticket] = []
}
