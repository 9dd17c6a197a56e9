#if canImport(Darwin)
  import CScenePlatform

  extension ChildProcess {
    /// A child ignores no signal: ``SignalSource`` itself ignores signals here, so the state at the
    /// start is unknown.
    static func start(
      _ path: String, _ arguments: [String], _ variables: CStringArray, _ plan: SpawnPlan
    ) throws(SystemError) -> ChildProcess {
      let words = CStringArray(arguments)
      let steps = try SpawnActions(plan)
      var pid: pid_t = 0
      let code = withExtendedLifetime((words, variables)) {
        steps.withAttributes { actions, attributes in
          posix_spawn(&pid, path, actions, attributes, words.pointer, variables.pointer)
        }
      }
      try checkCode("exec", path, code)
      if let terminal = plan.terminal {
        Terminal.bringToForeground(pid, of: terminal)
        // The child may have stopped because it read the terminal too early.
        try? Signal.continue.send(to: -pid)
      }
      return ChildProcess(pid: pid)
    }

    /// Makes this process the parent of orphaned descendants; false if the system cannot.
    @discardableResult
    package static func adoptOrphans() -> Bool { false }
  }

  /// The steps of a child between `fork` and `exec`.
  private struct SpawnActions: ~Copyable {
    // On Darwin these types are pointers to library memory.
    typealias FileActions = posix_spawn_file_actions_t?
    typealias Attributes = posix_spawnattr_t?

    private let actions = Cell<FileActions>()
    private let attributes = Cell<Attributes>()
    /// Duplicates of the parent's descriptors, above all of the child's numbers. So no step
    /// overwrites the source of a later step.
    private var raised = RaisedDescriptors()

    init(_ plan: SpawnPlan) throws(SystemError) {
      try checkCode(
        "posix_spawn_file_actions_init", nil, posix_spawn_file_actions_init(actions.pointer))
      try checkCode("posix_spawnattr_init", nil, posix_spawnattr_init(attributes.pointer))
      try setSignalsAndGroup(plan.group)
      if let directory = plan.workingDirectory {
        try checkCode(
          "chdir", directory,
          posix_spawn_file_actions_addchdir_np(actions.pointer, directory))
      }
      try pass(plan)
    }

    deinit {
      posix_spawn_file_actions_destroy(actions.pointer)
      posix_spawnattr_destroy(attributes.pointer)
    }

    func withAttributes(
      _ body: (UnsafePointer<FileActions>, UnsafePointer<Attributes>) -> Int32
    ) -> Int32 {
      body(actions.pointer, attributes.pointer)
    }

    private mutating func pass(_ plan: SpawnPlan) throws(SystemError) {
      for (child, parent) in plan.descriptors {
        let source = try raised.raise(parent, from: plan.end)
        try checkCode(
          "posix_spawn_file_actions_adddup2", nil,
          posix_spawn_file_actions_adddup2(actions.pointer, source, child))
      }
      // POSIX_SPAWN_CLOEXEC_DEFAULT closes all other descriptors.
      for number: Int32 in 0..<3 where plan.descriptors[number] == nil {
        if fcntl(number, F_GETFD) == -1 { continue }
        try checkCode(
          "posix_spawn_file_actions_addinherit_np", nil,
          posix_spawn_file_actions_addinherit_np(actions.pointer, number))
      }
    }

    /// `exec` would keep the blocked mask and the ignored signals, which the program does not
    /// expect.
    private func setSignalsAndGroup(_ group: Int32?) throws(SystemError) {
      var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
      var set = sigset_t()
      sigemptyset(&set)
      try checkCode(
        "posix_spawnattr_setsigmask", nil, posix_spawnattr_setsigmask(attributes.pointer, &set))
      sigfillset(&set)
      sigdelset(&set, SIGKILL)
      sigdelset(&set, SIGSTOP)
      try checkCode(
        "posix_spawnattr_setsigdefault", nil,
        posix_spawnattr_setsigdefault(attributes.pointer, &set))
      if let group {
        flags |= Int32(POSIX_SPAWN_SETPGROUP)
        try checkCode(
          "posix_spawnattr_setpgroup", nil, posix_spawnattr_setpgroup(attributes.pointer, group))
      }
      flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
      try checkCode(
        "posix_spawnattr_setflags", nil, posix_spawnattr_setflags(attributes.pointer, Int16(flags)))
    }
  }

  /// A C structure with a fixed address.
  private struct Cell<Value>: ~Copyable {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    deinit {
      pointer.deallocate()
    }
  }

  extension SignalSource {
    static func descriptor(for signals: [Signal]) throws(SystemError) -> FileDescriptor {
      let queue = FileDescriptor(adopting: try check("kqueue") { kqueue() })
      try queue.setCloseOnExec()
      let number = queue.number
      for signal in signals {
        var change = kevent64_s()
        change.ident = UInt64(signal.rawValue)
        change.filter = Int16(EVFILT_SIGNAL)
        change.flags = UInt16(EV_ADD)
        try check("kevent") { kevent64(number, &change, 1, nil, 0, 0, nil) }
        // A kqueue reports ignored signals too. An ignored SIGCHLD would lose exit statuses, and
        // its default action is harmless.
        if signal != .child { _ = ScenePlatform.signal(signal.rawValue, SIG_IGN) }
      }
      return queue
    }

    /// The next pending signal, or nil.
    package func nextDelivery() throws(SystemError) -> Delivery? {
      var event = kevent64_s()
      var now = timespec()
      let number = descriptor.number
      let count = try check("kevent") { kevent64(number, nil, 0, &event, 1, 0, &now) }
      guard count == 1 else { return nil }
      let signal = Signal(rawValue: Int32(event.ident))
      // A kqueue does not report the sender. In the foreground, the keyboard is the likeliest
      // source.
      let isForeground = (0...2).contains { Terminal.foregroundGroup(of: $0) == getpgrp() }
      return Delivery(
        signal: signal, isFromKeyboard: isForeground && Delivery.keys.contains(signal))
    }
  }

  extension Executable {
    /// The path of this program.
    package static func current() throws(SystemError) -> String {
      var size = UInt32(PATH_MAX)
      var buffer = [CChar](repeating: 0, count: Int(size))
      if _NSGetExecutablePath(&buffer, &size) != 0 {
        throw SystemError(call: "_NSGetExecutablePath", code: .nameTooLong)
      }
      return String(
        decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The path that this program was started from. Call it before the working directory changes.
    package static func started() throws(SystemError) -> String {
      Directory.absolute(try current())
    }
  }

  extension TemporaryFile {
    /// A file without a name.
    static func openInMemory() throws(SystemError) -> FileDescriptor { try openWithoutName() }
  }

  extension CurrentProcess {
    static var descriptorLimit: Int32 { RLIMIT_NOFILE }
    static var coreLimit: Int32 { RLIMIT_CORE }
    static var stackLimitName: Int32 { RLIMIT_STACK }

    /// The kernel rejects more, although the hard limit is infinite.
    static var maximumDescriptorLimit: rlim_t { rlim_t(OPEN_MAX) }
  }
#endif
