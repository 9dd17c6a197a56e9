import CScenePlatform
import Synchronization

/// Program files.
package enum Executable {
  /// The path of a program of this installation: beside this program, else a name for `$PATH`.
  package static func installed(_ name: String) -> String {
    let directory = (try? current()).flatMap(Directory.parent)
    guard let path = directory.map({ "\($0)/\(name)" }), File.exists(path) else { return name }
    return path
  }

  /// The file that a shell would run. A name without a slash is searched in `path`, by default
  /// `$PATH`.
  package static func find(
    _ name: String, path: String? = nil
  ) throws(SystemError) -> String {
    if name.contains("/") { return name }
    let directories = path ?? Environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    var denied = false
    for directory in directories.split(separator: ":", omittingEmptySubsequences: false) {
      let candidate = directory.isEmpty ? "./\(name)" : "\(directory)/\(name)"
      guard let status = try? FileStatus(of: candidate), status.kind == .regular else { continue }
      if access(candidate, X_OK) == 0 { return candidate }
      denied = true
    }
    throw SystemError(
      call: "exec", path: name, code: denied ? .permissionDenied : .notFound,
      note: "searched in PATH")
  }
}

extension Executable {
  /// The file of a command, which is searched as a shell in `directory` does. Throws unless both
  /// exist and the file is a program that this user may run.
  package static func path(of words: [String], in directory: String) throws(SystemError) -> String {
    guard try FileStatus(of: directory).kind == .directory else {
      throw SystemError(call: "chdir", path: directory, code: .notADirectory)
    }
    let path = try find(words.first ?? "")
    do throws(SystemError) {
      try check(path.hasPrefix("/") ? path : "\(directory)/\(path)")
    } catch {
      throw SystemError(call: error.call, path: path, code: error.code, note: error.note)
    }
    return path
  }

  /// Throws unless the path is a program that this user may run.
  package static func check(_ path: String) throws(SystemError) {
    guard File.exists(path) else { throw SystemError(call: "exec", path: path, code: .notFound) }
    guard try FileStatus(of: path).kind == .regular else {
      throw SystemError(
        call: "exec", path: path, code: .permissionDenied, note: "not a regular file")
    }
    if access(path, X_OK) != 0 { throw SystemError("exec", path) }
    if let interpreter = interpreter(of: path), !File.exists(interpreter) {
      throw SystemError(
        call: "exec", path: path, code: .notFound,
        note: "its interpreter \(interpreter) does not exist")
    }
  }

  /// The program in the first line of a script; nil if it has no absolute path.
  private static func interpreter(of path: String) -> String? {
    guard let file = try? File.open(path, .read), let bytes = try? file.read(at: 0, count: 256),
      bytes.starts(with: "#!".utf8)
    else { return nil }
    let line = String(
      decoding: bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let word = line.split { $0 == " " || $0 == "\t" }.first.map(String.init)
    return word?.hasPrefix("/") == true ? word : nil
  }

  /// The command that runs a script which the kernel cannot run, as shells do.
  static func shell(for path: String, _ words: [String]) -> [String] {
    ["/bin/sh", path.hasPrefix("-") ? "./\(path)" : path] + words.dropFirst()
  }
}

/// The arguments, the limits and the end of this process.
package enum CurrentProcess {
  /// The arguments after the program's name, as bytes, because they may be invalid UTF-8. Throws if
  /// the process has no command line, so that no program ignores its options.
  package static var arguments: [ContiguousArray<UInt8>] {
    get throws(EnvironmentError) { try behindName(words) }
  }

  package static func behindName(
    _ words: [ContiguousArray<UInt8>]
  ) throws(EnvironmentError) -> [ContiguousArray<UInt8>] {
    guard !words.isEmpty else { throw .noArguments }
    return Array(words.dropFirst())
  }

  /// The command line, with the program's name first; empty if the C library passes none.
  package static var words: [ContiguousArray<UInt8>] {
    guard let words = platform_arguments() else { return [] }
    return (0..<Int(platform_argument_count())).compactMap { index in
      words[index].map { word in
        ContiguousArray(UnsafeRawBufferPointer(start: word, count: strlen(word)))
      }
    }
  }

  /// The first word of the command line; nil if there is none.
  package static var calledAs: String? { words.first.map { String(decoding: $0, as: UTF8.self) } }

  /// The last path component of the first word; nil if there is none.
  package static var name: String? { calledAs.map(Directory.lastPart) }

  /// Raises the soft limit of open descriptors to the hard limit. Returns the new soft limit. On
  /// Linux every child gets the previous soft limit.
  @discardableResult
  package static func raiseDescriptorLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(descriptorLimit, &limit) == 0 else { return 256 }
    let before = limit.rlim_cur
    var wanted = limit
    wanted.rlim_cur = min(limit.rlim_max, maximumDescriptorLimit)
    if wanted.rlim_cur > limit.rlim_cur, setrlimit(descriptorLimit, &wanted) == 0 {
      limit = wanted
      originalDescriptorLimit.store(UInt64(before), ordering: .relaxed)
    }
    return Int(clamping: limit.rlim_cur)
  }

  /// Forbids core files, which would contain the memory of this process. On Linux every child gets
  /// the previous soft limit.
  package static func disableCoreFiles() {
    var limit = rlimit()
    guard getrlimit(coreLimit, &limit) == 0, limit.rlim_cur > 0 else { return }
    let before = limit.rlim_cur
    limit.rlim_cur = 0
    if setrlimit(coreLimit, &limit) == 0 {
      originalCoreLimit.store(UInt64(before), ordering: .relaxed)
    }
  }

  /// Sets the soft limits that children get, for another program in this process.
  package static func restoreLimits() {
    for (name, original) in [
      (descriptorLimit, originalDescriptorLimit.load(ordering: .relaxed)),
      (coreLimit, originalCoreLimit.load(ordering: .relaxed)),
    ] where original > 0 {
      var limit = rlimit()
      guard getrlimit(name, &limit) == 0 else { continue }
      limit.rlim_cur = min(rlim_t(original), limit.rlim_max)
      setrlimit(name, &limit)
    }
  }

  /// The size in bytes to which a stack of this process can grow; nil without a limit.
  package static var stackLimit: UInt64? {
    var limit = rlimit()
    guard getrlimit(stackLimitName, &limit) == 0, limit.rlim_cur != platform_no_limit() else {
      return nil
    }
    return UInt64(limit.rlim_cur)
  }

  /// Replaces this process by a program with the same process ID. `changing` has the changed
  /// variables; nil removes one. Returns only if that fails.
  package static func execute(
    _ path: String, _ words: [String], in directory: String, changing: [String: String?]
  ) -> SystemError {
    let variables = CStringArray(
      keeping: { changing[$0] == nil }, adding: changing.compactMapValues(\.self))
    let arguments = CStringArray(words)
    let shell = CStringArray(Executable.shell(for: path, words))
    guard chdir(directory) == 0 else { return SystemError("chdir", directory) }
    StandardStream.finishOutput()
    return withExtendedLifetime((arguments, shell, variables)) {
      execve(path, arguments.pointer, variables.pointer)
      if errno == ENOEXEC { execve("/bin/sh", shell.pointer, variables.pointer) }
      return SystemError("exec", path)
    }
  }

  /// Stops this process with SIGSTOP. Returns after SIGCONT.
  package static func stop() throws(SystemError) {
    StandardStream.finishOutput()
    try Signal.stop.send(to: getpid())
  }

  /// Stops this process with an unblocked SIGTSTP. The kernel ignores the signal if no shell could
  /// continue the process. Returns after SIGCONT.
  package static func stopAsByKey() {
    StandardStream.finishOutput()
    let number = Signal.terminalStop.rawValue
    let before = signal(number, SIG_DFL)
    var set = sigset_t()
    var mask = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, &mask)
    // To this thread: it receives the signal before the call returns, and all threads stop.
    Signal.terminalStop.sendToThisThread()
    pthread_sigmask(SIG_SETMASK, &mask, nil)
    _ = signal(number, before)
  }

  /// Stops the process group with SIGTSTP, and then this process. Returns after SIGCONT.
  package static func stopJob() throws(SystemError) {
    StandardStream.finishOutput()
    try Signal.terminalStop.send(to: 0)
    try stop()
  }

  /// Ends the process by SIGPIPE, even if the signal is ignored.
  package static func endByBrokenPipe() -> Never {
    StandardStream.finishOutput()
    Signal.restoreBrokenPipes()
    Signal.brokenPipe.sendToThisThread()
    // Reached only if the signal is blocked.
    exit(128 + SIGPIPE)
  }

  /// Ends the process by the default action of a signal.
  package static func end(by signal: Signal) -> Never {
    StandardStream.finishOutput()
    let number = signal.rawValue
    _ = ScenePlatform.signal(number, SIG_DFL)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    signal.sendToThisThread()
    // Reached only if the default action does not end the process.
    exit(128 + number)
  }

  /// Ends the process and flushes the buffers of the C library.
  package static func exit(_ code: Int32) -> Never {
    ScenePlatform.exit(code)
  }

  /// Ends the process by SIGKILL. The buffers of the C library are lost.
  package static func die() -> Never {
    StandardStream.finishOutput()
    while true {
      kill(getpid(), SIGKILL)
      pause()
    }
  }
}

/// The soft limit of open descriptors before this process raised it; 0 if it did not.
let originalDescriptorLimit = Atomic<UInt64>(0)

/// The soft limit of core files before this process set it to 0; 0 if it did not.
let originalCoreLimit = Atomic<UInt64>(0)
