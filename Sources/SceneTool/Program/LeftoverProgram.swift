import ScenePlatform

/// The processes of a program whose `scene` was killed.
///
/// They have the program's process group, and its activity file in their environment. A process
/// that left the group, such as a server of tmux, is not one of them.
struct LeftoverProgram {
  let group: ProcessGroup
  /// The path of the activity file, which each run has for itself.
  let file: String

  var processes: [ProcessIdentity] {
    MarkedProcesses("SCENE_ACTIVITY", file).all.filter { group.contains($0.pid) }
  }

  /// Ends the processes by the signals of ``TerminationSchedule``.
  func end() {
    let delays = TerminationSchedule.delays
    let steps: [(Signal, Int64)] = [
      (.terminate, delays.hangup), (.hangup, delays.kill), (.kill, delays.kill),
    ]
    for (signal, time) in steps {
      let running = processes
      if running.isEmpty { return }
      for process in running {
        process.send(signal)
        process.send(.continue)
      }
      running.awaitEnds(nanoseconds: time)
    }
  }
}
