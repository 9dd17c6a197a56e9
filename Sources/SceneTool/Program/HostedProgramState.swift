import SceneClient
import SceneModel
import ScenePlatform

/// The data that a scene and its program exchange: events to the program, activities to the scene.
final class HostedProgramState: Sendable {
  let file = ActivityFile()
  /// The program as it is stored with the session; nil if this process does not store it.
  let stored: SessionProgram?
  private let state = ConditionMutex(State())

  private struct State {
    var launch: Result<ProgramLaunch, SystemError>?
    var last: SessionIdentifier?
    var environment = LoginEnvironment()
    var continuing: SessionIdentifier?
  }

  init(storing stored: SessionProgram? = nil) { self.stored = stored }

  /// Prepares a run of the program; a failure appears in ``ready()``. The stored program's own
  /// `retry` has precedence.
  func begin(
    _ session: SessionIdentifier, with activity: Activity?, generation: Int64?,
    dataPath: String?, resume: [String]? = nil, retry: Double? = nil, lastEnd: String? = nil,
    environment newer: LoginEnvironment = LoginEnvironment()
  ) {
    let (isSecondRun, environment) = state.withLock { state in
      defer { state.last = session }
      state.environment = state.environment.merging(newer)
      return (state.last == session, state.environment)
    }
    let delay = (stored?.retry ?? retry).flatMap { Interval(seconds: $0) }
    let made: Result<ProgramLaunch, SystemError>
    do throws(SystemError) {
      let places = ActivityLocation.all(of: session, dataPath: dataPath)
      let directory = try ActivityDirectory.make(
        in: places, beginningWith: activity, generation: generation)
      let path = file.begin(directory)
      let events = try EventPipe()
      made = .success(
        ProgramLaunch(
          session: session, activityPath: path, dataPath: dataPath, events: events,
          resume: isSecondRun ? resume : nil,
          retry: delay.flatMap { $0.nanoseconds > 0 ? $0 : nil }, lastEnd: lastEnd,
          environment: isSecondRun ? environment : LoginEnvironment()))
    } catch {
      made = .failure(error)
    }
    state.withLock { $0.launch = made }
  }

  /// The parameters of the prepared run. Throws the error of the preparation.
  func ready() throws(SystemError) -> ProgramLaunch? {
    try state.withLock(\.launch)?.get()
  }

  /// The session whose program continues without a scene, until its next scene.
  var continuing: SessionIdentifier? {
    get { state.withLock(\.continuing) }
    set { state.withLock { $0.continuing = newValue } }
  }

  /// Returns ``continuing`` and removes it: the next scene has the program.
  func takeContinuing() -> SessionIdentifier? {
    state.withLock { $0.continuing.take() }
  }

  /// The program has ended.
  func end() { state.withLock { ($0.continuing, $0.launch) = (nil, nil) } }

  /// The pipe for events, while the program runs.
  var events: EventPipe? {
    try? state.withLock(\.launch)?.get().events
  }

  /// Sends the events that concern the program.
  func tell(_ event: SceneEvent) {
    switch event {
    case .failed(.activity, _, _), .callback, .posted, .gap, .noticed, .waiting, .connected,
      .resumed:
      events?.send(JSONLines().lines(for: event))
    default: break
    }
  }
}
