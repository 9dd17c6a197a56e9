#if canImport(Glibc)
  import CScenePlatform
  import Glibc
  import Synchronization

  /// The steps of a child between `vfork` and `execve`.
  struct ForkPlan {
    /// Our descriptors, by the child's numbers.
    var descriptors: [Int32: Int32] = [:]
    var workingDirectory: String?
    var leadsGroup = false
    /// The terminal whose foreground group becomes the child's group.
    var terminal: Int32?
    /// The kernel sends this signal to the child when the starting thread ends.
    var death: Signal?
    /// Whether ignored signals get their default action.
    var resetsSignals = false
    /// Whether the child gets no descriptor > 2 except those in `descriptors`.
    var closesOthers = false
  }

  extension ChildProcess {
    static func spawn(
      _ path: String, _ arguments: [String], _ variables: CStringArray, _ plan: ForkPlan
    ) throws(SystemError) -> ChildProcess {
      let words = CStringArray(arguments)
      let shell = CStringArray(Executable.shell(for: path, arguments))
      let end = max(3, (plan.descriptors.keys.max() ?? 2) + 1)
      var raised = RaisedDescriptors()
      var moves: [platform_move] = []
      for (number, ours) in plan.descriptors {
        moves.append(platform_move(from: try raised.raise(ours, from: end), to: number))
      }
      var raw = platform_spawn_plan()
      raw.words = UnsafePointer(words.pointer)
      raw.shell_words = UnsafePointer(shell.pointer)
      raw.variables = UnsafePointer(variables.pointer)
      raw.death = plan.death?.rawValue ?? 0
      raw.leads = plan.leadsGroup ? 1 : 0
      raw.terminal = plan.terminal ?? -1
      raw.resets_signals = plan.resetsSignals ? 1 : 0
      raw.descriptor_limit = rlim_t(originalDescriptorLimit.load(ordering: .relaxed))
      raw.core_limit = rlim_t(originalCoreLimit.load(ordering: .relaxed))
      raw.closes_from = plan.closesOthers ? end : -1
      let (pid, code) = withExtendedLifetime((words, shell, variables)) {
        start(&raw, path, plan.workingDirectory, moves)
      }
      try checkCode("exec", path, code)
      return ChildProcess(pid: pid)
    }

    private static func start(
      _ plan: inout platform_spawn_plan, _ path: String, _ directory: String?,
      _ moves: [platform_move]
    ) -> (pid: pid_t, code: Int32) {
      var pid: pid_t = 0
      let code = path.withCString { path in
        withOptionalCString(directory) { directory in
          moves.withUnsafeBufferPointer { moves in
            plan.path = path
            plan.directory = directory
            plan.moves = moves.baseAddress
            plan.move_count = Int32(moves.count)
            return platform_spawn(&plan, &pid)
          }
        }
      }
      return (pid, code)
    }
  }

  private func withOptionalCString<Result>(
    _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
  ) -> Result {
    guard let text else { return body(nil) }
    return text.withCString { body($0) }
  }
#endif
