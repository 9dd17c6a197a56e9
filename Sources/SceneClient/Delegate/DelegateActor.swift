import SceneJSON
import SceneModel
import Synchronization

/// Passes the questions and notifications of the broker to the application delegate.
final class DelegateHost: ClientHandler {
  private struct Content {
    weak var process: ApplicationProcess?
    weak var client: Client?
    var actor: DelegateActor?
  }

  private let content = Mutex(Content())

  func attach(_ process: ApplicationProcess, _ client: Client, _ actor: DelegateActor) {
    content.withLock { $0 = Content(process: process, client: client, actor: actor) }
  }

  func didReceive(_ update: ClientUpdate) {
    let content = content.withLock { $0 }
    guard let process = content.process, let client = content.client, let actor = content.actor
    else { return }
    switch update {
    case .delegate(.question(let number, let callback)):
      client.answer(number, actor.assumeIsolated { $0.answer(callback, in: process) })
    case .delegate(.notification(let notification)):
      actor.assumeIsolated { $0.didReceive(notification, in: process) }
    case .connection(.connected): checkParticipation(client)
    case .connection, .phase, .notice, .rejected, .resumed, .discarded, .notReturned: break
    }
  }

  /// Warns if the broker uses this delegate only for notifications.
  private func checkParticipation(_ client: Client) {
    client.request(.manifest(ApplicationManifest())) { [log = client.settings.log] result in
      let document = JSONDocument()
      guard case .success(.manifest(let reply)) = result,
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
  private nonisolated let executor: any SerialExecutor
  /// Whether `application(_:willFinishLaunchingWithOptions:)` declined the launch.
  private var hasDeclined = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ delegate: sending any ApplicationDelegate, on executor: any SerialExecutor) {
    self.delegate = delegate
    self.executor = executor
  }

  // MARK: - Questions

  func answer(_ callback: DelegateCallback, in process: ApplicationProcess) -> DelegateAnswer {
    switch callback {
    case .willFinishLaunching:
      hasDeclined = !delegate.application(process, willFinishLaunchingWithOptions: nil)
    case .didFinishLaunching(let message):
      let options = Scene.ConnectionOptions(message.options)
      let accepts = delegate.application(process, didFinishLaunchingWithOptions: options)
      return .launched(accepted: accepts && !hasDeclined)
    case .configurationForConnecting(let message): return configuration(message, process)
    case .didDiscardSceneSessions(let message): return discard(message, process)
    case .willTerminate: delegate.applicationWillTerminate(process)
    }
    return .done
  }

  private func configuration(
    _ message: ConfigurationForConnecting, _ process: ApplicationProcess
  ) -> DelegateAnswer {
    var session = SceneSession(message.sceneSession)
    let (known, userInfo) = (session.configuration, session.userInfo)
    do {
      let configuration = try delegate.application(
        process, configurationForConnecting: &session,
        options: Scene.ConnectionOptions(message.options))
      return .configuration(
        ConfigurationForConnecting.Answer(
          // An unchanged configuration was not chosen: the manifest may lack the requested one.
          configuration: configuration == known ? nil : configuration.choice,
          userInfo: session.userInfo == userInfo
            ? nil : OpaqueObject(unchecked: (session.userInfo ?? [:]).raw)))
    } catch {
      return .failed(message: "\(error)")
    }
  }

  private func discard(
    _ message: DidDiscardSceneSessions, _ process: ApplicationProcess
  ) -> DelegateAnswer {
    let report = DiscardReport(id: message.report.description, isFollowed: message.more)
    do {
      try delegate.application(
        process, didDiscardSceneSessions: Set(message.sceneSessions.map { SceneSession($0) }),
        in: report)
      return .done
    } catch {
      return .failed(message: "\(error)")
    }
  }

  // MARK: - Notifications

  func didReceive(_ notification: BrokerNotification, in process: ApplicationProcess) {
    switch notification {
    case .memoryWarning: delegate.applicationDidReceiveMemoryWarning(process)
    case .significantTimeChange: delegate.applicationSignificantTimeChange(process)
    case .delegate(let notification): didReceive(notification, process)
    case .sessionChanged, .sessionDiscarded, .phaseChanged, .posted, .trace: break
    }
  }

  private func didReceive(
    _ notification: DelegateNotification, _ process: ApplicationProcess
  ) {
    switch notification {
    case .sceneConnected(let message):
      delegate.application(
        process, sceneDidConnect: message.session.description,
        reason: Scene.ConnectionOptions.Reason(rawValue: message.reason.rawValue))
    case .sceneDisconnected(let message):
      delegate.application(
        process, sceneDidDisconnect: message.session.description,
        reason: Scene.DisconnectReason(rawValue: message.reason.rawValue))
    case .sceneExited(let message):
      delegate.application(
        process, sceneProcessDidEnd: message.session.description,
        exit: Scene.ProcessExit(message.exit)
      )
    // A late answer still counts for a report.
    case .overran: break
    }
  }
}

extension SceneConfiguration {
  /// The wire form: a configuration with only a name is that of the manifest.
  fileprivate var choice: ConfigurationChoice {
    let name = self.name == "" ? nil : self.name
    let description = ConfigurationDescription(
      name: name, role: role.map { Role(rawValue: $0.rawValue) },
      delegateClass: delegateClass, sceneClass: sceneClass, storyboard: storyboard)
    if let name, description == ConfigurationDescription(name: name) { return .named(name) }
    return .described(description)
  }
}
