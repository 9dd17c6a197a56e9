package import SceneBroker
package import SceneModel
import ScenePlatform

/// Launched programs, and the processes of clients.
extension EventLoop {
  func launch(_ request: LaunchRequest) {
    do throws(SystemError) {
      guard let (process, token) = try processes.launch(request) else {
        return handle(.notLaunched(request.identifier, problem: ProcessService.refusal))
      }
      handle(.launched(request.identifier, process, token: token))
    } catch {
      handle(.notLaunched(request.identifier, problem: error.launchFailure(request.command)))
    }
  }

  /// Tells the broker that a launched program has ended.
  package func exited(_ launch: LaunchIdentifier, _ status: ClientExit) {
    input.noteInput()
    handle(.exited(launch, status))
  }

  /// Ends programs that an earlier broker launched and that have not connected.
  func endSurvivors() {
    guard broker.manifest.roles.contains(where: { !$0.launches.isEmpty }) else { return }
    let connected = connections.identifiers.compactMap { connections[$0]?.process.pid }
    processes.endSurvivors(sparing: Set(connected))
  }

  /// Answers the liveness queries of the broker in the same iteration. An answer may cause another
  /// query.
  func answerLivenessQueries() {
    while !effects.livenessQueries.isEmpty {
      let livenessQueries = effects.livenessQueries
      effects.livenessQueries.removeAll()
      for query in livenessQueries {
        let ending = query.processes.filter { !processes.isRunning($0) }
        handle(.livenessQueried(query.identifier, ending: ending))
      }
    }
  }
}
