import SceneModel

/// How the events of a topic are kept, declared beside the scenes that show what they are about.
///
/// ```swift
/// WindowGroup(id: "Chat", delegate: ChatDelegate.init)
/// Topic(ChatEvent.self, durable: true)
/// ```
///
/// A topic that nobody declares is kept in memory: its last 1,000 events.
public struct Topic: SceneContent {
  /// What it comes to: no scene.
  public let declarations: SceneDeclarations

  /// Declares it.
  ///
  /// - Parameters:
  ///   - event: the events of the topic.
  ///   - durable: whether an event is on the disk before anybody is told of it, so that it survives
  ///     the broker.
  ///   - keep: how many events stay for those who were away, 1 to 1,000,000.
  public init<Event: UpdateEvent>(_ event: Event.Type, durable: Bool = false, keep: Int = 1000) {
    var declarations = SceneDeclarations()
    declarations.topics = [
      SceneDeclarations.DeclaredTopic(
        name: Event.topic, declaration: TopicDeclaration(isDurable: durable, keep: keep))
    ]
    self.declarations = declarations
  }
}
