import SceneClient
import SceneCommandLine
import SceneModel
import ScenePlatform

extension SceneController {
  /// The state of the scene, shared by all threads.
  struct State: Sendable {
    var session: SessionIdentifier?
    var isConnected = false
    /// Whether the broker reclaimed the scene and the session still exists.
    var isReclaimed = false
    /// Whether the scene was in the background since it connected.
    var wasInBackground = false
    var activationState = ActivationState.unattached
    /// The last callback, which the watchdog names after a timeout.
    var lastCallback: CallbackKind?
    /// The observed topics and their last positions. A reconnected scene observes them again.
    var topics: [String: EventPosition?] = [:]
    /// The title to set after the connection.
    var firstTitle: String?
    /// A message about the stored command, to print before the program starts.
    var notice: String?
    /// Whether the broker can store the command of this process.
    var storesProgram = true
    /// The program of the session as the broker has it.
    var program: SessionProgram?
    /// The running process of the program.
    var process: ProgramProcess?
    /// Whether the broker launched this process and reads its output.
    var isLaunched = false
    var hangsAlways = false
    var hangs: Set<CallbackKind> = []
    var work = Work()
    var window = Window()
    var kept = Kept()
    var link = Link()
    var suspension = SuspendState()
    var end = End()
  }

  /// The window of the scene.
  struct Window: Sendable {
    /// Nil without a terminal, and until it is known.
    var host: WindowHost?
    /// As the broker has it.
    var placement: OpaqueObject?
    /// The number of the scene's hold.
    var hold: Int64 = 0
    /// When the scene connected, by the monotonic clock.
    var opening: Int64 = 0
  }

  /// The terminal of a process that is its holder.
  struct Kept: Sendable {
    /// Nil in a process that holds no terminal.
    var windows: KeptTerminal?
    /// The last move that this process has requested or seen.
    var isInForeground = true
    /// Whether this process has requested the next move to the background.
    var leavesForeground = false
  }

  /// The activity of the scene.
  struct Work: Sendable {
    /// The current activity; absent until it is set.
    var activity: Patch<Activity> = .absent
    /// The last saved activity. The scene returns to it if the broker rejects a newer one for good.
    var kept: Patch<Activity> = .absent
    /// The activity to save after the connection.
    var first: Activity?
    /// The activity from commands while no scene is connected, to save after the next connection.
    var postponed: PostponedActivity?
    /// The activity of a killed process, to save before `first`.
    var left: RecoveredActivity?
    /// Why the last activity of the program is not saved.
    var unsaved: String?
    /// Why the broker does not have the command that continues the session.
    var commandProblem: String?

    /// Records a saved activity.
    mutating func keep(_ activity: Activity?) {
      kept = .orNull(activity)
      unsaved = nil
    }

    /// Records a rejected activity. An activity that the broker rejects for good is not sent again.
    mutating func reject(_ activity: Activity?, _ error: SceneError) {
      guard error.retry == .never else { return }
      let refused = Patch.orNull(activity)
      // A restarted broker with other limits may reject an activity that an earlier broker saved.
      if kept == refused { kept = .absent }
      if self.activity == refused { self.activity = kept }
    }
  }

  /// The newest activity of commands that wait for a scene.
  struct PostponedActivity: Sendable {
    var activity: Activity?
    var commands: [GivenCommand]
  }

  /// The state of the connection to the broker.
  struct Link: Sendable {
    var hasBeenConnected = false
    var isWaiting = false
    /// Whether the connection was lost and the broker has not resumed the scene yet.
    var awaitsResume = false
    /// The broker's last rejection of this client.
    var rejection: String?
    /// Whether the application has ended, so that the loss of the connection is expected.
    var expectsLoss = false
  }

  /// The suspension by Ctrl-Z.
  struct SuspendState: Sendable {
    var isUnderWay = false
    /// Whether this process must still stop.
    var mustStop = false
  }

  /// The end of this program.
  struct End: Sendable {
    /// Whether the scene was asked to end.
    var isWanted = false
    var code = ExitCode.success
    /// The message for standard error.
    var complaint: String?
    /// Whether the error already names what is possible.
    var namesRemedy = false
    /// The host to which the session moves.
    var host: String?
    /// Whether the session was discarded, so that nothing needs saving.
    var isDiscarded = false
    /// Whether the reader of standard output is gone. This is no error.
    var hasLostReader = false
  }
}
