import SceneModel

/// The newest activity in the files of killed processes of a session, if the broker lacks it.
final class RecoveredActivity: Sendable {
  /// Nil means that the program cleared its activity.
  let activity: Activity?
  /// Locked by this process until the broker has the activity.
  private let directories: [ActivityDirectory]

  private init(_ activity: Activity?, in directories: [ActivityDirectory]) {
    self.activity = activity
    self.directories = directories
  }

  /// Removes the abandoned directories without such an activity. Reports a file that is no
  /// activity, and leaves it until the session has a newer save.
  static func find(
    in abandoned: [ActivityDirectory], after generation: Generation?,
    reporting report: (_ path: String, _ flaw: String) -> Void
  ) -> RecoveredActivity? {
    var newest: (activity: Activity?, written: Int64)?
    var directories: [ActivityDirectory] = []
    for directory in abandoned {
      switch directory.content(after: generation) {
      case .stored: directory.remove()
      case .flawed(let flaw): report(directory.file, flaw)
      case .newer(let activity, let written):
        directories.append(directory)
        if written >= newest?.written ?? .min { newest = (activity, written) }
      }
    }
    return newest.map { RecoveredActivity($0.activity, in: directories) }
  }

  /// The broker has the activity.
  func remove() {
    for directory in directories { directory.remove() }
  }
}
