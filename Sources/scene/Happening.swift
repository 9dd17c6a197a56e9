import JSON
import SceneClient
import SceneModel

/// Something that whoever watches a scene is told, as text or as JSON.
enum Happening: Equatable, Sendable {
  /// A callback, and how it is answered; nil when it is left unanswered on purpose. In an application
  /// of before scenes it is called as there.
  case callback(Callback, CallAnswer?, isClassic: Bool = false)
  case replied(ShellCommand.Verb, RawJSON?, BrokerReply)
  /// From now on this callback is not answered, or none is.
  case hanging(CallbackKind?, RawJSON?)
  /// Which commands there are, or what one of them does.
  case explained(ShellCommand.Verb?, RawJSON?)
  /// A command was given while the broker is gone: it is carried out when that is back.
  case postponed(ShellCommand.Verb)
  case failed(ShellCommand.Verb?, RawJSON?, SceneError)
  /// An event of a topic that it observes.
  case posted(EventPosted)
  /// Events of a topic before the next one may be missing.
  case gap(String)
  /// Something happened to the application as a whole. A classic application has its own name for it.
  case noticed(SceneApplication.Notice, isClassic: Bool = false)
  /// The broker takes connections, but has not let this client in; why, if it said so.
  case unanswered(String?)
  /// The broker is gone, or not there yet.
  case waiting
  case connected
  /// The scene goes on where it was.
  case resumed(SessionIdentifier)
  /// There is no scene, and there may be one again: of this session, or of another where this one
  /// was discarded. Where the broker has come back and does not know it, that is only supposed.
  case idle(SessionIdentifier, DisconnectReason, isUnknown: Bool = false)
  /// The scene that begins is another session's than the one before.
  case exchanged(WillConnect)
  /// The last thing.
  case ended(Ending)
}

/// How a scene ended for good.
struct Ending: Equatable, Sendable {
  var session: SessionIdentifier
  var reason: DisconnectReason
  /// What was not answered in time, where that was the reason.
  var callback: CallbackKind?
  /// Whether the session is gone, though that was not the reason.
  var isDiscarded = false
  /// Whether the broker has come back and does not know the session, so that it is not known what
  /// became of it.
  var isUnknown = false
}

/// How happenings are told.
protocol Telling: Sendable {
  /// Lines for standard output.
  func lines(for happening: Happening) -> [String]
}
