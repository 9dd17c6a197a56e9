import SceneCommandLine
import SceneJSON
import SceneModel
import Synchronization

/// Passes the questions and notifications of the broker to the application delegate.
final class DelegateHost: ClientHandler {
  private struct Content {
    weak var process: SceneApplication?
    weak var client: Client?
    var actor: DelegateActor?
  }

  private let content = Mutex(Content())

  func attach(_ process: SceneApplication, _ client: Client, _ actor: DelegateActor) {
    content.withLock { $0 = Content(process: process, client: client, actor: actor) }
  }

  func handle(_ message: DelegateMessage, finish: @escaping @Sendable () -> Void) {
    let content = content.withLock { $0 }
    guard let process = content.process, let client = content.client, let actor = content.actor
    else { return finish() }
    switch message {
    case .question(let number, let callback):
      actor.calls.start(
        until: .stopOfClient,
        answer: { answer in
          if let answer { client.answer(number, answer) }
          finish()
        }
      ) { await actor.answer(callback, in: process) }
    case .notification(let notification):
      actor.calls.start(until: .stopOfClient, finish: finish) {
        await actor.didReceive(notification, in: process)
      }
    }
  }

  func willStop() { content.withLock { $0.actor }?.calls.cancel(.stopOfClient) }

  func cancelCalls() { content.withLock { $0.actor }?.calls.cancel(.endOfClient) }

  func didReceive(_ update: ClientUpdate) {
    switch update {
    case .connection(.connected): content.withLock { $0.client }.map(checkParticipation)
    case .connection, .phase, .notice, .rejected, .resumed, .discarded, .notReturned,
      .activated:
      break
    }
  }

  /// Warns if the broker uses this delegate only for notifications.
  private func checkParticipation(_ client: Client) {
    client.request(ApplicationManifest()) { [log = client.settings.log] result in
      let document = JSONDocument()
      guard case .success(let reply) = result,
        (try? document.read(reply.manifest.json.bytes.span)) != nil,
        let participation = document.root["applicationDelegate"]?.string,
        DelegateParticipation(rawValue: participation) == .builtIn
      else { return }
      log(
        SceneLogRecord(
          .warning,
          "the broker does not ask this delegate for configurations, and reports no discards: its "
            + "manifest or scened --application-delegate says builtIn; change it to optional"))
    }
  }
}

/// The delegate of the application. It is used only here, on the queue of the application.
actor DelegateActor {
  private let delegate: any ApplicationDelegate
  /// The calls of the delegate, on the queue of the application.
  nonisolated let calls: DelegateCalls
  private nonisolated let log: @Sendable (SceneLogRecord) -> Void
  /// Whether `application(_:willFinishLaunchingWithOptions:)` declined the launch.
  private var hasDeclined = false

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    calls.asUnownedSerialExecutor()
  }

  init(
    _ delegate: sending any ApplicationDelegate, _ calls: DelegateCalls,
    log: @escaping @Sendable (SceneLogRecord) -> Void
  ) {
    self.delegate = delegate
    self.log = log
    self.calls = calls
  }

  private func report(_ error: any Error, of call: String) {
    SceneLogRecord(error, ofCall: call, of: "the application delegate").map(log)
  }

  // MARK: - Questions

  func answer(_ callback: Callback, in process: SceneApplication) async -> CallAnswer {
    do {
      switch (callback.kind, callback.message) {
      case (.willFinishLaunching, _):
        hasDeclined = true
        hasDeclined =
          try await !delegate.application(process, willFinishLaunchingWithOptions: nil)
      case (_, let message as DidFinishLaunching):
        let options = Scene.ConnectionOptions(message.options).launchOptions
        let accepts = try await delegate.application(
          process, didFinishLaunchingWithOptions: options)
        return .launched(accepted: accepts && !hasDeclined)
      case (_, let message as ConfigurationForConnecting):
        return try await configuration(message, process)
      case (_, let message as DidDiscardSceneSessions):
        try await delegate.application(
          process, didDiscardSceneSessions: Set(message.sceneSessions.map { SceneSession($0) }))
      case (.willTerminate, _): try await delegate.applicationWillTerminate(process)
      default: break
      }
      return .done
    } catch {
      report(error, of: callback.kind.rawValue)
      if callback.kind == .didFinishLaunching { return .launched(accepted: false) }
      return .failed(message: "\(error)")
    }
  }

  private func configuration(
    _ message: ConfigurationForConnecting, _ process: SceneApplication
  ) async throws -> CallAnswer {
    let session = SceneSession(message.sceneSession)
    let (known, userInfo) = (session.configuration, session.userInfo)
    let configuration = try await delegate.application(
      process, configurationForConnecting: session,
      options: Scene.ConnectionOptions(message.options))
    return .configuration(
      ConfigurationForConnecting.Answer(
        // An unchanged configuration was not chosen: the manifest may lack the requested one.
        configuration: configuration == known ? nil : configuration.choice(for: session.role),
        userInfo: session.userInfo == userInfo
          ? nil : OpaqueObject(unchecked: (session.userInfo ?? [:]).raw)))
  }

  // MARK: - Notifications

  func didReceive(_ notification: BrokerNotification, in process: SceneApplication) async {
    do {
      switch notification {
      case .memoryWarning: try await delegate.applicationDidReceiveMemoryWarning(process)
      case .significantTimeChange: try await delegate.applicationSignificantTimeChange(process)
      case .sceneConnected(let message):
        try await delegate.application(
          process, sceneDidConnect: message.session.description,
          reason: Scene.ConnectionOptions.Reason(message.reason))
      case .sceneDisconnected(let message):
        try await delegate.application(
          process, sceneDidDisconnect: message.session.description,
          reason: Scene.DisconnectReason(message.reason))
      case .sceneExited(let message):
        try await delegate.application(
          process, sceneProcessDidEnd: message.session.description,
          exit: Scene.ProcessExit(message.exit)
        )
      // A late answer still counts for a report.
      case .sessionChanged, .sessionDiscarded, .phaseChanged, .activated, .posted, .trace, .overran:
        break
      }
    } catch {
      report(error, of: "\(notification.method)")
    }
  }
}

extension SceneConfiguration {
  /// The wire form: a configuration with only a name, and perhaps the role of the session, is that
  /// of the manifest.
  fileprivate func choice(for sessionRole: SceneSession.Role) -> ConfigurationChoice {
    let name = self.name == "" ? nil : self.name
    let description = ConfigurationDescription(
      name: name, role: role,
      delegateClass: delegateClass, sceneClass: sceneClass, storyboard: storyboard)
    if let name, role == nil || role == sessionRole,
      description == ConfigurationDescription(name: name, role: description.role)
    {
      return .named(name)
    }
    return .described(description)
  }
}
