import CommandLine
import SceneClient
import SceneModel

extension ShellScene {
  /// What is known of the scene, on whichever thread.
  struct State: Sendable {
    var session: SessionIdentifier?
    var isConnected = false
    /// Its scene was reclaimed, and the session is there as far as is known.
    var isPutAway = false
    var activationState = ActivationState.unattached
    /// What it was asked last. That is what took too long where the watchdog ends it.
    var lastCallback: CallbackKind?
    /// What it observes, and how far it has come; a scene that comes back observes it again.
    var topics: [String: EventPosition?] = [:]
    /// What the scene is to be called once it is connected.
    var firstTitle: String?
    /// The broker has started this program, and reads what it says for as long as that lives.
    var isLaunched = false
    var hangsAlways = false
    var hangs: Set<CallbackKind> = []
    var work = Work()
    var link = Link()
    var home = Homecoming()
    var end = End()
  }

  /// What the scene is at.
  struct Work: Sendable {
    /// Nil until it has been told.
    var activity: Presence<Activity> = .absent
    /// The newest of it that the broker has kept: what the scene is at again when something newer
    /// is refused for good.
    var kept: Presence<Activity> = .absent
    /// To be saved once the scene is connected.
    var first: Activity?
    /// What a killed process of the session has left; to be saved before `first`.
    var left: LeftActivity?
    /// Why what a program said last could not be saved.
    var unsaved: String?

    /// The broker has kept it.
    mutating func keep(_ activity: Activity?) {
      kept = .orNull(activity)
      unsaved = nil
    }

    /// The broker would not have it. What it will never have is not offered to it again.
    mutating func giveUp(_ activity: Activity?, _ error: SceneError) {
      guard error.retry == .never else { return }
      let refused = Presence.orNull(activity)
      // A broker with other limits may refuse what one before it has kept, and still has.
      if kept == refused { kept = .absent }
      if self.activity == refused { self.activity = kept }
    }
  }

  /// How it stands with the broker.
  struct Link: Sendable {
    var hasBeenConnected = false
    var isWaiting = false
    /// The broker was lost, and has not said since that the scene goes on.
    var isUnresumed = false
    /// What the broker said when it would not have this client yet.
    var turnedAway: String?
    /// The application has ended in order, so it is no news that its broker goes.
    var expectsLoss = false
  }

  /// The home gesture.
  struct Homecoming: Sendable {
    var isUnderWay = false
    /// Whether this process has not stopped since it was sent home.
    var mustStop = false
  }

  /// How this program is to end.
  struct End: Sendable {
    /// It was told to leave.
    var isWanted = false
    var code = ExitCode.success
    /// What standard error is told then.
    var complaint: String?
    /// Nothing need be kept any more.
    var isDiscarded = false
    /// Whoever read standard output is gone, which is not an error worth a word.
    var hasLostReader = false
  }
}
