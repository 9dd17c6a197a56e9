public import SceneClient
import SceneModel

/// The storage of a topic's events, declared beside the scenes.
///
/// ```swift
/// WindowGroup(id: "Chat", delegate: ChatDelegate.init)
/// Topic(ChatEvent.self, durable: true)
/// ```
///
/// Without a declaration the broker keeps the last 1,000 events of a topic in memory.
public struct Topic: SceneContent {
  /// The declarations of the topic, without a scene.
  public let declarations: SceneDeclarations

  /// Declares a topic.
  ///
  /// - Parameters:
  ///   - event: the type of the events.
  ///   - durable: whether the broker writes an event to the disk before it sends it, so that the
  ///     event survives the broker.
  ///   - keep: the number of stored events, 1 to 1,000,000.
  public init<Event: UpdateEvent>(_ event: Event.Type, durable: Bool = false, keep: Int = 1000) {
    var declarations = SceneDeclarations()
    declarations.topics = [(Event.topic, TopicDeclaration(isDurable: durable, keep: keep))]
    self.declarations = declarations
  }
}
