import SceneClient
import SceneCommandLine
import SceneControl
import SceneModel
import ScenePlatform

/// The settings for the window of a scene. A stored command can have others.
struct WindowSettings: Sendable {
  var onHangup = HangupAction.close
  var onActivate: String?
}

extension Invocation {
  /// The settings of the command line and of the environment.
  func windowSettings() throws(ProgramError) -> WindowSettings {
    var settings = WindowSettings()
    let variable = "SCENE_ON_HANGUP"
    if let text = Environment[variable], !text.isEmpty {
      settings.onHangup = HangupAction(rawValue: text)
      guard HangupAction.all.contains(settings.onHangup) else {
        throw ProgramError(
          .badConfiguration,
          "\(variable): expected \(HangupAction.names.joined(separator: ", ")), "
            + "found \(PlainText.word(text))")
      }
    }
    settings.onHangup = onHangup ?? settings.onHangup
    let raise = Environment["SCENE_RAISE"].flatMap { $0.isEmpty ? nil : $0 }
    settings.onActivate = value("on-activate") ?? raise
    return settings
  }
}

extension WindowHost {
  /// Runs the command that shows a window, without a terminal. Nil if it cannot start.
  static func run(_ words: [String], _ environment: [String: String]) -> ProcessEnd? {
    guard let null = try? File.open("/dev/null", [.read, .write]) else { return nil }
    let child = try? ChildProcess.spawn(
      words[0], Array(words.dropFirst()), environment: environment,
      descriptors: [0: null.number, 1: null.number, 2: null.number], group: 0)
    return try? child?.reap()
  }
}

/// The window of the scene: its place, how the user sees it, and its end.
extension SceneController {
  // MARK: - The place

  /// Notes the window of a new scene.
  func openWindow(_ message: WillConnect) {
    state.withLock { state in
      state.window = Window(
        placement: message.sceneSession.placement, hold: message.hold,
        opening: SystemClock.monotonic())
    }
    noteWindow(of: message.session, isOpening: true)
    noteKept(message)
  }

  /// Stores the place again, because tmux reports no change of it.
  func refreshPlacement() {
    let (session, host) = state.withLock { ($0.session, $0.window.host) }
    guard let session, case .tmux = host else { return }
    client?.enqueue(session) { [self] in noteWindow(of: session, isOpening: false) }
  }

  /// Stores the place of the window, if the broker has another one.
  private func noteWindow(of session: SessionIdentifier, isOpening: Bool) {
    let window = state.withLock(\.window)
    let hasTerminal = Terminal.name != nil
    let former = ScenePlacement(window.placement)?.tmux
    let found = TmuxPlace.current(isOpening: isOpening)
    let place: TmuxPlace? =
      switch found {
      case .absent: former
      case .null: nil
      case .value(let place):
        place.following(
          former, isOpening: isOpening,
          awaitsPanes: SystemClock.monotonic() - window.opening < Self.panesTime)
      }
    let isPrompt = Terminal.hasUser && programState == nil && !printsJSON
    let placement = ScenePlacement(isPrompt: isPrompt, tmux: place).object
    let isNew = state.withLock { state in
      guard state.session == session, state.isConnected else { return false }
      if hasTerminal {
        state.window.host = WindowHost(in: Environment.all) { found != .null }
      }
      return placement != window.placement
    }
    guard isNew else { return }
    client?.request(SceneUpdate(session: session, placement: .orNull(placement))) {
      [self] result in
      if case .success = result { state.withLock { $0.window.placement = placement } }
    }
  }

  /// Nanoseconds in which `scenectl reopen` can bring other panes back.
  private static let panesTime: Int64 = 600_000_000_000

  // MARK: - Activation

  /// Shows the window. No answer waits for that.
  func raiseWindow(of session: SessionIdentifier) {
    let holder = Holder.current.withLock { $0 }
    if let holder, holder.windows.attached == 0 { return openKeptWindow(of: session, holder) }
    let (own, host) = state.withLock { ($0.session, $0.window.host) }
    let command = programState?.stored?.onActivate ?? windowSettings.onActivate
    if let holder, command == nil { return holder.raise() }
    guard own == session,
      let words = command.map({ ["/bin/sh", "-c", $0] }) ?? host?.raiseCommand
    else { return }
    var environment = Environment.all
    environment["SCENE_SESSION"] = "\(session)"
    environment["SCENE_SOCKET"] = advice.socket.map(Directory.absolute)
    _ = try? Thread("window") { [self, environment] in
      guard let end = WindowHost.run(words, environment), !end.isSuccess, command != nil else {
        return
      }
      let problem = "the command that shows the window ended with status \(end.shellCode)"
      client?.request(SceneUpdate(session: session, problem: problem)) { _ in }
    }
  }

  // MARK: - The end

  /// Reports where the session is after its scene ended for a move. The release and the arrival
  /// follow the end of the scene.
  func reportMove(socket: String) {
    let (session, host) = state.withLock { ($0.session, $0.end.host) }
    guard let session, let host, !printsJSON else { return }
    var summary: SessionSummary?
    var hasAgent = false
    do throws(ControlError) {
      let deadline = SystemClock.monotonic() + Self.moveTime
      let connection = try ControlConnection.open(socket, as: Self.control, until: deadline)
      hasAgent = try connection.hasHandoffAgent(until: deadline)
      _ = try connection.request(SessionObserve(), until: deadline)
      summary = try connection.find(session, until: deadline)?.details.summary
      while summary?.away?.isConfirmed != true,
        let change = try connection.nextNotification(until: deadline)
      {
        if case .sessionChanged(let new)? = change.content, new.session == session { summary = new }
      }
    } catch {
      // After a timeout the last known place counts, and without a broker none is known.
    }
    let place = advice.place(of: session, summary, movedTo: host, hasAgent: hasAgent)
    let line = "scene: \(place)\n"
    StandardStream.error.offer(line, required: true)
  }

  /// Nanoseconds in which a move usually finishes after the end of the scene.
  private static let moveTime: Int64 = 2_000_000_000
  static let control = ClientName(name: "scene", version: productVersion)

  /// Runs after the end of the terminal. If the host of the window lives on, the user has closed
  /// the window. A signal that ends a process ends the wait.
  func awaitHost(_ signals: SignalSource, socket: String) {
    let (session, window) = state.withLock { ($0.session, $0.window) }
    let action = programState?.stored?.onHangup ?? windowSettings.onHangup
    // A signal can come from another process, and leaves the terminal.
    guard let session, let host = window.host, action == .close, Terminal.name == nil,
      host.isAlive(in: Environment.all)
    else { return }
    let deadline = SystemClock.monotonic() + Self.hangupTime
    while true {
      let left = deadline - SystemClock.monotonic()
      guard left > 0, (try? signals.wait(nanoseconds: left)) == true else { break }
      switch try? signals.next() {
      case .terminate?, .interrupt?: return
      default: continue
      }
    }
    guard host.isAlive(in: Environment.all) else { return }
    do throws(ControlError) {
      let deadline = SystemClock.monotonic() + Self.hangupTime
      let connection = try ControlConnection.open(socket, as: Self.control, until: deadline)
      let message = SceneTransition(
        session: session, to: .unattached, cause: .windowClosed, hold: window.hold)
      _ = try connection.request(message, until: deadline)
    } catch {
      // Without a broker, the window stays on the list.
    }
  }

  /// Nanoseconds in which the server of a terminal or a desktop session ends after its windows.
  private static let hangupTime: Int64 = 5_000_000_000
}
