import CPlatform
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Programs in the file system.
package enum Executable {
  /// The path of this program's own file.
  package static func current() throws(SystemError) -> String {
    #if canImport(Darwin)
      var size = UInt32(PATH_MAX)
      var buffer = [CChar](repeating: 0, count: Int(size))
      if _NSGetExecutablePath(&buffer, &size) != 0 {
        throw SystemError(call: "_NSGetExecutablePath", code: .nameTooLong)
      }
      return String(
        decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
      return try File.destination(ofLink: "/proc/self/exe")
    #endif
  }

  /// The file a shell would run: a name without a slash is looked for in `path`, by default
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
      note: "looked for in PATH")
  }
}

extension Executable {
  /// Throws if there is no program at a path that this user may run.
  package static func check(_ path: String) throws(SystemError) {
    guard File.exists(path) else { throw SystemError(call: "exec", path: path, code: .notFound) }
    guard try FileStatus(of: path).kind == .regular else {
      throw SystemError(call: "exec", path: path, code: .permissionDenied, note: "it is no file")
    }
    if access(path, X_OK) != 0 { throw SystemError("exec", path) }
  }
}

/// What this process was given and may use, and its end.
package enum CurrentProcess {
  /// The words behind the program's name, byte for byte: nothing says that they are text. Throws where
  /// the process has no command line, so that no program runs without the options it was given.
  package static var arguments: [ContiguousArray<UInt8>] {
    get throws(MissingArguments) { try behindName(words) }
  }

  package static func behindName(
    _ words: [ContiguousArray<UInt8>]
  ) throws(MissingArguments) -> [ContiguousArray<UInt8>] {
    guard !words.isEmpty else { throw MissingArguments() }
    return Array(words.dropFirst())
  }

  /// All words of the command line, the program's name first; none where the C library passes none.
  package static var words: [ContiguousArray<UInt8>] {
    guard let words = platform_arguments() else { return [] }
    return (0..<Int(platform_argument_count())).compactMap { index in
      words[index].map { word in
        ContiguousArray(UnsafeRawBufferPointer(start: word, count: strlen(word)))
      }
    }
  }

  /// The first word of the command line as text; nil where there is none.
  package static var calledAs: String? { words.first.map { String(decoding: $0, as: UTF8.self) } }

  /// The name of the program as it was started, without the directory; nil where that says nothing.
  package static var name: String? { calledAs?.split(separator: "/").last.map(String.init) }

  /// Raises the soft limit of open descriptors to the hard limit; returns the new soft limit. On Linux
  /// every program that `spawnApart` and `spawnCompanion` start gets the soft limit from before.
  @discardableResult
  package static func raiseDescriptorLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(descriptorLimit, &limit) == 0 else { return 256 }
    let before = limit.rlim_cur
    var wanted = limit
    wanted.rlim_cur = limit.rlim_max
    #if canImport(Darwin)
      // More than this is refused, although the hard limit says infinite.
      wanted.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
    #endif
    if wanted.rlim_cur > limit.rlim_cur, setrlimit(descriptorLimit, &wanted) == 0 {
      limit = wanted
      originalDescriptorLimit.store(UInt64(before), ordering: .relaxed)
    }
    return Int(clamping: limit.rlim_cur)
  }

  /// Stops this process as the terminal's Ctrl-Z would; returns when it is continued.
  package static func stop() throws(SystemError) {
    try Signal.stop.send(to: getpid())
  }

  /// Stops this process as the terminal's Ctrl-Z would if it were blocked for that: not where there is
  /// no shell to continue it. Returns when it is continued.
  package static func stopAsByKey() {
    let number = Signal.terminalStop.rawValue
    let before = systemSignal(number, SIG_DFL)
    var set = sigset_t()
    var mask = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, &mask)
    _ = kill(getpid(), number)
    pthread_sigmask(SIG_SETMASK, &mask, nil)
    _ = systemSignal(number, before)
  }

  /// Stops the whole job that this process is of, as Ctrl-Z does, and at last this process; returns
  /// when it is continued.
  package static func stopJob() throws(SystemError) {
    try Signal.terminalStop.send(to: 0)
    try stop()
  }

  /// Ends the process as one that writes what nobody reads, whatever was to become of that signal.
  package static func endByBrokenPipe() -> Never {
    Signal.restoreBrokenPipes()
    Signal.brokenPipe.sendToThisThread()
    // Only where the signal is blocked.
    exit(128 + SIGPIPE)
  }

  /// Ends the process as a signal does that nothing was to become of.
  package static func end(by signal: Signal) -> Never {
    let number = signal.rawValue
    _ = systemSignal(number, SIG_DFL)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    signal.sendToThisThread()
    // Only where it does not end a process.
    exit(128 + number)
  }

  /// Ends the process in order, flushing what the C library holds.
  package static func exit(_ code: Int32) -> Never {
    systemExit(code)
  }

  /// Ends the process as `kill -9` does: nothing more is done or written.
  package static func die() -> Never {
    while true {
      kill(getpid(), SIGKILL)
      pause()
    }
  }

  #if canImport(Darwin)
    private static var descriptorLimit: Int32 { RLIMIT_NOFILE }
  #else
    private static var descriptorLimit: __rlimit_resource_t {
      __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    }
  #endif
}

/// The soft limit of open descriptors before this process raised it; 0 where it did not.
let originalDescriptorLimit = Atomic<UInt64>(0)

/// A process that has no command line, not even a name.
package struct MissingArguments: Error, Equatable, Sendable, CustomStringConvertible {
  package init() {}

  package var description: String {
    "the command line is missing: the C library passed no arguments; start the program by its name"
  }
}

private func systemExit(_ code: Int32) -> Never {
  exit(code)
}
