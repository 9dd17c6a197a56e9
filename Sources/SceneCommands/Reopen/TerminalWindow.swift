import SceneCommandLine
import SceneJSON
import SceneModel
import ScenePlatform

/// A program in a new terminal window.
///
/// A terminal can run in another process, and then reports nothing about the end of its program. So
/// the opener runs `scenectl window --inside SOCKET` in the window: see ``WindowProgram``. This
/// process connects to the socket, and reports the end of the program.
struct TerminalWindow {
  let words: [String]
  let title: String
  let opener: Opener
  /// The directory and the variables of the program.
  let surroundings: WindowProgram.Surroundings
  /// The signals that end this process.
  let signals: SignalSource

  /// Opens the window, and waits for the end of the program.
  ///
  /// - Parameter deadline: the time by which the window must open; nil for no limit.
  /// - Returns: the program's end; SIGHUP if the window was closed with its processes.
  /// - Throws: the reason if no window opens, or the program cannot start.
  func run(openUntil deadline: Int64?) throws -> ProcessEnd {
    let outcome: Outcome
    do throws(SystemError) {
      let directory = try Directory.makeTemporary()
      defer { try? Directory.removeTree(directory) }
      outcome = try run(in: directory, openUntil: deadline)
    } catch {
      throw ProgramError(.failure, "no window: \(PlainText.escaped(error.description))")
    }
    let name = PlainText.escaped(opener.name)
    switch outcome {
    case .reported(let report): return try report.programEnd()
    case .closed: return .signalled(.hangup)
    case .stopped: return .signalled(.terminate)
    case .late:
      throw ProgramError(.timedOut, "no window: \(name) has not opened one in time")
    case .openerEnded(let end):
      throw ProgramError(.failure, "no window: \(name) ended with status \(end.shellCode)")
    }
  }

  private enum Outcome {
    case reported(WindowReport)
    case openerEnded(ProcessEnd)
    case late
    /// The program was killed, with the process that waits for it.
    case closed
    /// A signal ended this process before its program.
    case stopped
  }

  private func run(
    in directory: String, openUntil deadline: Int64?
  ) throws(SystemError) -> Outcome {
    let socket = directory + "/socket"
    let listener = try UnixSocket.listen(at: socket)
    let inside = [try Executable.current(), "window", "--inside", socket, "--"] + words
    let command = opener.command(title: title, inside)
    Signal.restoreChildEnds()
    let null = try File.open("/dev/null", [.read, .write])
    let child = try ChildProcess.spawn(
      command[0], Array(command.dropFirst()),
      descriptors: [0: null.number, 1: null.number, 2: StandardStream.error.number])
    while try !listener.waitReadable(nanoseconds: Self.checkInterval) {
      if try signals.wait(nanoseconds: 0) { return .stopped }
      // Some openers end as soon as the window is requested.
      if let end = child.endIfEnded, !end.isSuccess { return .openerEnded(end) }
      if let deadline, SystemClock.monotonic() > deadline { return .late }
    }
    guard let program = try UnixSocket.accept(from: listener) else { return .stopped }
    try program.setNonblocking(false)
    try program.write(
      JSONWriter.object { surroundings.writeMembers(to: &$0) }.description)
    try program.endSending()
    return try awaitEnd(of: program)
  }

  private static let checkInterval: Int64 = 50_000_000

  private func awaitEnd(of program: borrowing FileDescriptor) throws(SystemError) -> Outcome {
    var killTime: Int64?
    while try !program.waitReadable(nanoseconds: Self.checkInterval) {
      if let killTime, killTime <= SystemClock.monotonic() {
        try? end(program, by: .kill)
        return .stopped
      }
      if killTime == nil, try signals.next() != nil {
        try? end(program, by: .terminate)
        // The broker kills this process after a second.
        killTime = SystemClock.monotonic() + 800_000_000
      }
    }
    let text = String(decoding: try program.readToEnd(limit: 1 << 16), as: UTF8.self)
    return WindowReport(text).map { .reported($0) } ?? .closed
  }

  /// The process in the window passes SIGTERM on. It leads a process group in a terminal.
  private func end(
    _ program: borrowing FileDescriptor, by signal: Signal
  ) throws(SystemError) {
    let pid = try program.peerCredentials().process
    guard pid > 1 else { return }
    let group = ProcessGroup(pid)
    if signal == .kill, group.contains(pid) { group.send(signal) } else { try signal.send(to: pid) }
  }
}
