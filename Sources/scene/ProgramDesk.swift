import SceneClient
import SceneModel
import ScenePlatform

/// What a scene and the program that it is about hear of each other: the program what happens, the
/// scene what it is at.
final class ProgramDesk: Sendable {
  let file = ActivityFile()
  private let launch = Monitor<Result<ProgramLaunch, SystemError>?>(nil)

  /// Makes everything ready for a run of the program, as far as that can be done.
  func begin(
    _ session: SessionIdentifier, with activity: Activity?, generation: Int64?,
    dataPath: String?
  ) {
    let made: Result<ProgramLaunch, SystemError>
    do throws(SystemError) {
      let places = ActivityPlace.all(of: session, dataPath: dataPath)
      let directory = try ActivityDirectory(
        in: places, beginningWith: activity, generation: generation)
      let path = file.begin(directory)
      let events = try EventPipe()
      made = .success(
        ProgramLaunch(session: session, activityPath: path, dataPath: dataPath, events: events))
    } catch {
      made = .failure(error)
    }
    launch.withLock { $0 = made }
  }

  /// What the program is to be started with.
  func ready() throws(SystemError) -> ProgramLaunch? {
    try launch.withLock { $0 }?.get()
  }

  /// The program has ended.
  func end() { launch.withLock { $0 = nil } }

  /// Where events are written, while the program is to have them.
  var events: EventPipe? {
    launch.withLock { launch in
      guard case .success(let launch) = launch else { return nil }
      return launch.events
    }
  }

  /// Tells the program, if it is there and this is its business.
  func tell(_ happening: Happening) {
    switch happening {
    case .failed(.activity, _, _), .callback, .posted, .gap, .noticed, .waiting, .connected,
      .resumed:
      events?.send(JSONLines().lines(for: happening))
    case .postponed, .failed, .replied, .hanging, .explained, .unanswered, .idle, .exchanged,
      .ended:
      break
    }
  }
}
