import CommandLine
import SceneClient
import SceneModel
import ScenePlatform

/// What a scene finds out before its program starts, and what an earlier program has left.
extension ShellScene {
  func prepareProgram(_ desk: ProgramDesk, _ message: WillConnect) {
    let session = message.session
    // The file of this process's last run counts as abandoned, too.
    desk.file.end()
    let dataPath = dataPath(of: session)
    let history = history(of: session)
    let left = history.flatMap { generations in
      LeftActivity.find(
        in: ActivityPlace.all(of: session, dataPath: dataPath), after: generations.last
      ) { path, flaw in
        screen.complain("scene: \(complaint(aboutFile: path, flaw))")
      }
    }
    let restored = message.sceneSession.stateRestorationActivity
    let first = state.withLock { state in
      state.work.left = left
      return state.work.first
    }
    let activity =
      first ?? message.options.userActivities.first ?? (left.map(\.activity) ?? restored)
    desk.begin(
      session, with: activity, generation: history.map { $0.last?.number ?? 0 },
      dataPath: dataPath)
  }

  /// The broker makes the directory; nil if it cannot.
  private func dataPath(of session: SessionIdentifier) -> String? {
    let errand = Errand<String?>()
    client?.request(.dataDirectory(DataDirectory(session: session))) { result in
      guard case .success(.dataDirectory(let reply)) = result else { return errand.finish(nil) }
      errand.finish(reply.path)
    }
    return errand.wait()
  }

  /// The saved activities, the newest last; nil if the broker does not tell.
  private func history(of session: SessionIdentifier) -> [Generation]? {
    let errand = Errand<[Generation]?>()
    client?.request(.history(SessionHistory(session: session))) { result in
      guard case .success(.history(let reply)) = result else { return errand.finish(nil) }
      errand.finish(reply.generations)
    }
    return errand.wait()
  }

  func saveLeft(_ left: LeftActivity, of session: SessionIdentifier) {
    client?.save(left.activity, of: session) { [self] result in
      take(result, of: left.activity)
      if case .success = result { left.remove() }
      note(result)
    }
  }
}
