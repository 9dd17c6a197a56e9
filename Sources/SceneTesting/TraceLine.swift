import SceneModel
import SceneScript

/// An entry of the trace.
public struct TraceLine: Hashable, Sendable, CustomStringConvertible {
  /// The kind of event, such as `connected`, `callback`, `acknowledged` or `saved`.
  public let event: String
  /// The name of the session, if the session has one.
  public let session: String?
  /// The name of the callback, such as `willConnect`; nil for other events.
  public let callback: String?
  /// The reason of the event, such as `restore` or `reclaimed`; nil for most events.
  public let reason: String?
  /// The event as a sentence, escaped.
  public let description: String

  init(_ entry: TraceEntry) {
    event = entry.event.rawValue
    session = entry.name
    callback = entry.callback
    reason = entry.reason
    description = entry.sentence
  }
}
