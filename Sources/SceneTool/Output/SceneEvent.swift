import SceneClient
import SceneJSON
import SceneModel

/// An event of a scene that appears in the output.
enum SceneEvent: Equatable, Sendable {
  /// A callback and its answer; nil if it stays unanswered on purpose. A classic application has
  /// other names for callbacks.
  case callback(Callback, CallAnswer?, isClassic: Bool = false)
  case replied(PromptCommand, RawJSON?, BrokerReply)
  /// This callback stays unanswered from now on; nil means all callbacks.
  case hanging(CallbackKind?, RawJSON?)
  /// The help for all commands, or for one.
  case explained(PromptCommand?, RawJSON?)
  /// A command waits until the broker is back.
  case postponed(PromptCommand)
  case failed(PromptCommand?, RawJSON?, SceneError)
  /// An event of an observed topic.
  case posted(EventPosted)
  /// Events of a topic before the next one may be missing.
  case gap(String)
  /// A notice about the whole application. A classic application has another name for it.
  case noticed(SceneApplication.Notice, isClassic: Bool = false)
  /// The broker accepts connections, but has not admitted this client; with the broker's reason, if
  /// any.
  case unanswered(String?)
  /// The broker is away.
  case waiting
  case connected
  /// The broker resumed the scene.
  case resumed(SessionIdentifier)
  /// The process has no scene and waits for another one: of this session, or of another one after a
  /// discard. `isUnknown`: a restarted broker does not know the session, so the discard is only
  /// assumed.
  case idle(SessionIdentifier, DisconnectReason, isUnknown: Bool = false)
  /// The new scene belongs to another session than the last one.
  case exchanged(WillConnect)
  /// The scene has ended for good.
  case ended(SceneTermination)
}
