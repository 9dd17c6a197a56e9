import SceneCommandLine
import SceneModel
import ScenePlatform

/// The session that the command line names.
enum WindowSession: Sendable {
  case name(String)
  /// A name, an identifier, or the beginning of one.
  case word(String)

  var text: String {
    switch self {
    case .name(let text), .word(let text): text
    }
  }
}

/// A window whose session the broker looks up, because the session can have a stored command.
struct PendingWindow {
  /// The request that connects the scene.
  var request: SceneConnect
  /// The options change the stored command, and the user can want to confirm it.
  let invocation: Invocation
  /// The path of the broker's socket.
  let socket: String
  /// The command that the user must confirm.
  var shown: WindowCommand?

  var awaitsInput: Bool { shown != nil }
}

/// Opens a window whose command was not known at the start.
extension ConsoleLoop {
  /// The broker has found the session.
  func take(_ session: SessionSummary?) throws {
    guard var window = pending else { return }
    if window.request.name == nil { window.request.session = session?.session }
    guard let command = try window.invocation.storedCommand(of: session) else {
      pending = nil
      beginReading()
      return scene.connect(window.request)
    }
    if command.program.connects, Holder.current.withLock({ $0 }) != nil {
      throw ProgramError(
        .failure,
        "--keep needs a command that scene runs, and this one connects to its session itself; omit "
          + "--keep")
    }
    if keeps(command, window) {
      pending = nil
      keepsTerminal = true
      return leave()
    }
    guard window.invocation.has("ask") || command.origin != nil else {
      return open(window, command)
    }
    if let origin = command.origin, window.invocation.has("json") {
      throw ProgramError(
        .failure,
        "the command came from \(PlainText.escaped(origin)); confirm it once in a window without "
          + "--json")
    }
    window.shown = command
    pending = window
    let line = command.words.map(\.shellWord).joined(separator: " ")
    scene.screen.show([
      PlainText.escaped(
        "\(line)  (in \(command.program.directory)"
          + (command.origin.map { ", from \($0))" } ?? ")")),
      "Press Enter to run it, or Ctrl-C to leave it:",
    ])
    beginReading()
  }

  /// Whether another process must run the stored command, because the program outlives its window.
  private func keeps(_ command: WindowCommand, _ window: PendingWindow) -> Bool {
    let action = command.program.onHangup ?? scene.windowSettings.onHangup
    return action == .keep && Terminal.hasUser && !window.invocation.has("json")
      && !window.invocation.has("background") && !command.program.connects
      && Holder.current.withLock { $0 } == nil
  }

  /// The user has confirmed the command. Returns false if the window is open already.
  func confirmPending() -> Bool {
    guard let window = pending, let command = window.shown else { return false }
    open(window, command)
    return true
  }

  private func open(_ window: PendingWindow, _ command: WindowCommand) {
    pending = nil
    if command.program.connects {
      replacement = command
      return leave()
    }
    let program = SceneProgram.hostedProgram(command, window.invocation, socket: window.socket)
    hosted = HostedSession(program, screen, isTyped: false)
    scene.host(HostedProgramState(storing: command.program))
    if isSilent { scene.screen.moveToErrors() }
    releaseStreams()
    beginReading()
    var request = window.request
    request.program = command.program
    scene.connect(request)
  }
}
