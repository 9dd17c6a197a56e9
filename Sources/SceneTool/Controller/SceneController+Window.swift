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
          .badConfiguration, "\(variable): expected reopen or close, found \(PlainText.word(text))")
      }
    }
    settings.onHangup = onHangup ?? settings.onHangup
    settings.onActivate = value("on-activate") ?? Environment["SCENE_RAISE"]
    return settings
  }
}

/// The window of the scene: its place, how the user sees it, and its end.
extension SceneController {
  // MARK: - The place

  /// Stores the place of the window, if the broker has another one.
  func noteWindow(
    of session: SessionIdentifier, _ former: OpaqueObject?, isOpening: Bool = false
  ) {
    let hasTerminal = Terminal.name != nil
    let place = TmuxPlace.current()
    let placement = ScenePlacement(
      isPrompt: hasTerminal && programState == nil && !printsJSON,
      tmux: place?.following(ScenePlacement(former)?.tmux, isOpening: isOpening)
    ).object
    let host = hasTerminal ? WindowHost(in: Environment.all) { place != nil } : nil
    let isNew = state.withLock { state in
      guard state.session == session, state.isConnected else { return false }
      state.window = Window(host: host, placement: placement)
      return placement != former
    }
    guard isNew else { return }
    client?.request(.update(SceneUpdate(session: session, placement: .orNull(placement)))) { _ in }
  }

  /// Stores the place again: tmux tells no pane that the user moves it.
  func refreshPlacement() {
    let (session, window) = state.withLock { ($0.session, $0.window) }
    guard let session, case .tmux = window.host else { return }
    client?.enqueue(session) { [self] in noteWindow(of: session, window.placement) }
  }

  // MARK: - Activation

  /// Shows the window. No answer waits for that.
  func raiseWindow(of session: SessionIdentifier) {
    let (own, host) = state.withLock { ($0.session, $0.window.host) }
    guard own == session, let host else { return }
    let command = programState?.stored?.onActivate ?? windowSettings.onActivate
    guard let words = command.map({ ["/bin/sh", "-c", $0] }) ?? host.raiseCommand else { return }
    var environment = Environment.all
    environment["SCENE_SESSION"] = "\(session)"
    environment["SCENE_SOCKET"] = advice.socket.map(Directory.absolute)
    _ = try? Thread("window") { [environment] in
      guard let null = try? File.open("/dev/null", [.read, .write]) else { return }
      let child = try? ChildProcess.spawn(
        words[0], Array(words.dropFirst()), environment: environment,
        descriptors: [0: null.number, 1: null.number, 2: null.number], group: 0)
      _ = try? child?.reap()
    }
  }

  // MARK: - The end

  /// After the end of the terminal: waits for the end of what showed it. If that lives on, the user
  /// has closed this window. A signal that ends a process ends the wait.
  func awaitHost(_ signals: SignalSource, socket: String) {
    let (session, host) = state.withLock { ($0.session, $0.window.host) }
    let action = programState?.stored?.onHangup ?? windowSettings.onHangup
    guard let session, let host, action == .close, host.isAlive(in: Environment.all) else { return }
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
      let client = ClientName(name: "scene", version: productVersion)
      let connection = try ControlConnection.open(socket, as: client, until: deadline)
      let message = SceneTransition(session: session, to: .unattached, cause: .windowClosed)
      _ = try connection.request(message, until: deadline)
    } catch {
      // Without a broker, the window stays on the list.
    }
  }

  /// Nanoseconds in which the server of a terminal or a desktop session ends after its windows.
  private static let hangupTime: Int64 = 5_000_000_000
}
