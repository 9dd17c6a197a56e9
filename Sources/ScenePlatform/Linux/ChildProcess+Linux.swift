import CScenePlatform
import Synchronization

extension ChildProcess {
  static func start(
    _ path: String, _ arguments: [String], _ variables: CStringArray, _ plan: SpawnPlan
  ) throws(SystemError) -> ChildProcess {
    let words = CStringArray(arguments)
    let shell = CStringArray(Executable.shell(for: path, arguments))
    var raised = RaisedDescriptors()
    var moves: [platform_move] = []
    for (number, ours) in plan.descriptors {
      moves.append(platform_move(from: try raised.raise(ours, from: plan.end), to: number))
    }
    var raw = platform_spawn_plan()
    raw.words = UnsafePointer(words.pointer)
    raw.shell_words = UnsafePointer(shell.pointer)
    raw.variables = UnsafePointer(variables.pointer)
    raw.death = plan.death?.rawValue ?? 0
    raw.group = plan.group ?? -1
    raw.terminal = plan.terminal ?? -1
    raw.resets_signals = plan.keepsIgnored ? 0 : 1
    raw.descriptor_limit = rlim_t(originalDescriptorLimit.load(ordering: .relaxed))
    raw.core_limit = rlim_t(originalCoreLimit.load(ordering: .relaxed))
    raw.closes_from = plan.end
    var pid: pid_t = 0
    let directory = plan.workingDirectory.map { CStringArray([$0]) }
    let code = withExtendedLifetime((words, shell, variables, directory)) {
      path.withCString { path in
        moves.withUnsafeBufferPointer { moves in
          raw.path = path
          raw.directory = directory.flatMap { UnsafePointer($0.pointer.pointee) }
          raw.moves = moves.baseAddress
          raw.move_count = Int32(moves.count)
          return platform_spawn(&raw, &pid)
        }
      }
    }
    try checkCode("exec", path, code)
    return ChildProcess(pid: pid)
  }

  /// Makes this process the parent of orphaned descendants; false if the system cannot.
  @discardableResult
  package static func adoptOrphans() -> Bool { platform_adopt_orphans() == 0 }
}
