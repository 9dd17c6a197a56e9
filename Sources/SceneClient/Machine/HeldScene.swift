import SceneModel

/// A scene that this client has, or had when the broker was lost.
struct HeldScene: Equatable {
  /// Shown when the client resumes.
  var hold: Int64
  /// Where it is once the program has handled every callback that has come.
  var state: ActivationState = .unattached
  var standing = Standing.attached
  /// It went to the background and has not been asked for its activity.
  var owesActivity = false
  var saves = Saves()
  /// Counts the scenes of this client, so that they are gone through in their order.
  var sequence: Int64

  enum Standing: Equatable {
    /// The broker has it so. → lost
    case attached
    /// The broker went. → resuming, when it is back
    case lost
    /// The broker was asked to go on. → attached, startingOver, or gone
    case resuming
    /// Somebody else has had the session: asked for it afresh. → gone, perhaps for a new scene
    case startingOver
  }
}

/// What of a scene's activity is not known to be on disk.
struct Saves: Equatable {
  /// One is on its way; the next waits for its reply.
  var isSending = false
  /// The newest that has not been sent.
  var next: Save?
  /// The answer to the last question for it, which the broker does not confirm.
  var unconfirmed: Activity?

  /// The newest wins; those who wait for an older one wait for this one instead.
  mutating func add(_ save: Save) {
    unconfirmed = nil
    next = Save(activity: save.activity, tickets: (next?.tickets ?? []) + save.tickets)
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
