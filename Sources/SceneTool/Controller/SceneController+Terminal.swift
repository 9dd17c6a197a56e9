import SceneClient
import SceneCommandLine
import SceneModel
import ScenePlatform

/// The scene of a kept terminal: the scene is in the foreground while a window shows the terminal.
extension SceneController {
  /// The windows of the terminal have changed.
  func show(_ windows: Holder.Windows) {
    let (session, process) = state.withLock { state in
      state.kept.windows = KeptTerminal(
        attached: Int64(windows.attached), detached: windows.detached,
        since: windows.detached.map { _ in SystemClock.wall() / 1_000_000 })
      return (state.session, state.process)
    }
    guard let session else { return }
    let report = process.flatMap { process in
      windows.detached == .hangup
        ? "the last terminal was closed; \(process.name) \(process.pid) runs on" : nil
    }
    sendProcess(of: session, report)
    followWindows()
    // The name can have changed.
    client?.request(SessionShow(session: session)) { result in
      guard case .success(let details) = result else { return }
      Holder.current.withLock { $0 }?.update { $0.name = details.summary.name }
    }
  }

  /// Moves the scene after its windows. A new scene or a new broker begins in the foreground.
  func followWindows(again: Bool = false) {
    enum Move { case activate, move(ActivationState) }
    let found = state.withLock { state -> (SessionIdentifier, Move)? in
      guard let windows = state.kept.windows, let session = state.session else { return nil }
      let isShown = windows.attached > 0
      guard state.isConnected else {
        return state.isReclaimed && isShown ? (session, .activate) : nil
      }
      guard again || state.kept.isInForeground != isShown else { return nil }
      state.kept.isInForeground = isShown
      if !isShown { state.kept.leavesForeground = true }
      return (session, .move(isShown ? .foregroundActive : .background))
    }
    guard let (session, move) = found else { return }
    switch move {
    case .activate: client?.request(RequestActivation(session: session)) { _ in }
    case .move(let target):
      client?.request(SceneTransition(session: session, to: target)) { [self] _ in
        guard target > .background else { return }
        // After the callbacks of an earlier move.
        client?.enqueue(session) { [self] in state.withLock { $0.kept.leavesForeground = false } }
      }
    }
  }

  /// Notes the session for the windows.
  func noteKept(_ message: WillConnect) {
    Holder.current.withLock { $0 }?.update { record in
      record.session = message.session
      record.name = message.sceneSession.name
    }
    state.withLock { $0.kept.isInForeground = true }
    followWindows()
  }

  /// Notes the program for the windows; nil after its end.
  func noteKept(_ process: ProgramProcess?) {
    let arguments = programState?.stored?.arguments
    Holder.current.withLock { $0 }?.update { record in
      record.process = process
      record.started = process.map { _ in SystemClock.wall() / 1_000_000 }
      record.arguments = arguments ?? record.arguments
    }
  }

  /// The scene is in the background. If another process moved it there, the windows leave the
  /// terminal. A scene that ends passes the background, too.
  func detachWindows(of session: SessionIdentifier) {
    let isOwn = state.withLock { exchange(&$0.kept.leavesForeground, with: false) }
    guard !isOwn, let holder = Holder.current.withLock({ $0 }) else { return }
    client?.request(SessionShow(session: session)) { [self] result in
      guard case .success(let details) = result, details.summary.target == .background else {
        return
      }
      state.withLock { $0.kept.isInForeground = false }
      holder.detach(by: .background)
    }
  }

  // MARK: - Activation

  /// Opens a window for an activated scene without one. If that fails, the scene returns to the
  /// background.
  func openKeptWindow(of session: SessionIdentifier, _ holder: Holder) {
    let count = holder.windows.total
    _ = try? Thread("window") { [self] in
      guard let reason = openWindow(of: session), holder.windows.total == count else { return }
      let problem = "no window opened for the activated program: \(reason)"
      client?.request(
        SceneUpdate(session: session, problem: problem.clipped(to: TraceEntry.detailBytes))
      ) { _ in }
      followWindows(again: true)
    }
  }

  /// Waits for the end of the window. Returns why none opened; nil after a success.
  private func openWindow(of session: SessionIdentifier) -> String? {
    let socket = advice.socket.map { ["-S", Directory.absolute($0)] } ?? []
    let title = Holder.current.withLock { $0 }?.sessionName.map { ["--title=\($0)"] } ?? []
    let words =
      ["window"] + title + ["--", Executable.installed("scene")] + socket
      + ["--session=\(session)"]
    do throws(SystemError) {
      let null = try File.open("/dev/null", [.read, .write])
      var pipe = try FileDescriptor.pipe()
      let errors = pipe.takeFirst()
      let writer = pipe.takeSecond()
      let child = try ChildProcess.spawn(
        Executable.installed("scenectl"), words,
        descriptors: [0: null.number, 1: null.number, 2: writer.number], group: 0)
      writer.close()
      let text = String(decoding: (try? errors.readToEnd(limit: 1 << 16)) ?? [], as: UTF8.self)
      let end = try child.reap()
      return end.isSuccess ? nil : text.split(separator: "\n").last.map(String.init) ?? "\(end)"
    } catch {
      return "\(error)"
    }
  }
}
