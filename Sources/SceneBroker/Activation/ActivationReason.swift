import SceneModel

/// Why the application wants a scene, and the content that the scene gets.
struct ActivationReason: Equatable {
  var reason = ConnectReason.activation
  var content: OpenedContent?
  /// The scene should stay in the background, if it is there.
  var background = false

  init(_ message: RequestActivation) {
    content = message.userActivity.map(OpenedContent.activity)
    background = message.options?.background == true
  }

  /// The content of the scene is out of date. The scene can stay in the background.
  static var refresh: ActivationReason {
    var activation = ActivationReason(reason: .refresh, content: nil)
    activation.background = true
    return activation
  }

  /// The last scene has crashed.
  static var recovery: ActivationReason { ActivationReason(reason: .recover, content: nil) }

  private init(reason: ConnectReason, content: OpenedContent?) {
    (self.reason, self.content) = (reason, content)
  }

  init(_ content: OpenedContent) {
    self.content = content
    reason = content.reason
  }

  /// The connection options of a scene that connects for this reason.
  var options: ConnectionOptions { content?.options ?? .none }

  /// The callbacks for a scene that is connected.
  func callbacks(to session: SessionIdentifier) -> [Callback] {
    content?.callbacks(to: session) ?? []
  }

  /// The callbacks of a scene that connects for this reason. The connection options of a handoff
  /// have only the type of its activity.
  func callbacksAfterConnect(to session: SessionIdentifier) -> [Callback] {
    switch content {
    case .handoff: callbacks(to: session)
    case nil, .urls, .activity, .notification, .shortcut: []
    }
  }
}
