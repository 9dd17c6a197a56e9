import SceneJSON
import SceneModel

@testable import SceneBroker

/// Messages as lines that are easy to compare and to read. Sessions are called by their number.
func line(of message: OutboundMessage) -> String {
  switch message {
  case .reply(let request, let reply): "\(text(request)) \(text(reply))"
  case .error(let request, let error):
    "\(request.map(text) ?? "-") \(text(error))"
  case .callback(_, let callback, _): text(callback)
  case .notification(let notification): text(notification)
  }
}

func text(_ session: SessionIdentifier) -> String { "S\(session.low)" }

private func text(_ request: RequestIdentifier) -> String {
  switch request {
  case .number(let number): "\(number)"
  case .string(let string): string
  }
}

/// The name, and whether to try again if that can help.
func text(_ error: BrokerError) -> String {
  error.retry == .never ? error.reason.name : "\(error.reason.name) \(error.retry.rawValue)"
}

private func text(_ reply: BrokerReply) -> String {
  switch reply.content {
  case is Empty: return "{}"
  case let reply as RequestDestruction.Reply:
    return reply.until.map { "until \($0 - BrokerFixture.start.wall)" } ?? "{}"
  case let reply as SessionUndiscard.Reply:
    return "undiscarded \(text(reply.session)) \(reply.name ?? "-")"
  case let reply as Initialize.Reply: return "initialized \(reply.application.phase)"
  case let reply as SceneConnect.Reply:
    return "\(text(reply.session)) \(reply.isNew ? "new " : "")\(reply.reason) \(reply.hold)"
  case let reply as SceneTransition.Reply: return "\(reply.state)"
  case let reply as SaveActivity.Reply: return "generation \(reply.generation)"
  case let reply as SessionList.Reply:
    let next = reply.next.map { " next \(text($0))" } ?? ""
    return "sessions [\(reply.sessions.map { text($0.session) }.joined(separator: " "))]\(next)"
  case let details as SessionDetails: return "shown \(text(details.summary))"
  case let reply as SessionResolve.Reply:
    let matches = reply.matches.map(text).joined(separator: " ")
    let session = reply.details.map { text($0.summary.session) } ?? "ambiguous"
    return "resolved \(session) [\(matches)] \(reply.count)"
  case let reply as SessionHistory.Reply:
    let generations = reply.generations.map { "\($0.number)" }.joined(separator: " ")
    return "history [\(generations)] \(reply.reasons.count)"
  case let reply as DataDirectory.Reply: return "directory \(reply.path)"
  case let reply as RequestActivation.Reply:
    return "activated \(text(reply.session))\(reply.isNew ? " new" : "")"
  case let reply as ApplicationRoute.Reply:
    let candidates = reply.candidates.map {
      "\(text($0.session))\($0.prefers ? " prefers" : "")\($0.can ? " can" : "")"
    }
    let chosen = reply.chosen.map(text) ?? "new"
    return "route [\(candidates.joined(separator: ", "))]\(reply.more ? " more" : "") \(chosen)"
  case let reply as ApplicationStatus.Reply: return "status \(reply.phase) \(reply.sessions)"
  case let reply as Reclaim.Reply:
    return "reclaimed [\(reply.sessions.map(text).joined(separator: " "))]"
  case let reply as RequestRefresh.Reply:
    return "refreshed [\(reply.sessions.map(text).joined(separator: " "))]"
  case let reply as EventPost.Reply: return "at \(reply.position)"
  case let reply as EventObserve.Reply: return "from \(reply.position)\(reply.gap ? " gap" : "")"
  case let reply as TopicList.Reply:
    let topics = reply.topics.map {
      "\($0.topic)\($0.durable ? " on disk" : "") \($0.events) \($0.observers)"
    }
    let next = reply.next.map { " next \($0)" } ?? ""
    return "topics [\(topics.joined(separator: ", "))]\(next)"
  case is OpaqueObject: return "described"
  case let reply as BeginAssertion.Reply: return "assertion \(reply.assertion)"
  case let reply as ApplicationManifest.Reply:
    return "manifest \(reply.source) \(reply.manifest.json)"
  default: return "\(reply.content)"
  }
}

private func text(_ callback: Callback) -> String {
  let start = "\(callback.kind) \(text(callback.session))"
  switch callback.message {
  case let message as WillConnect:
    var parts = [start]
    if message.isNew { parts.append("new") }
    parts += ["\(message.reason)", "\(message.hold)"]
    if let activity = message.sceneSession.stateRestorationActivity {
      parts.append("was \(text(activity))")
    }
    parts += text(message.options)
    if let missing = message.missingConfiguration { parts.append("without \(missing)") }
    if let withheld = message.withheld {
      parts.append("withheld \(withheld.generation) \(withheld.reason)")
    }
    return parts.joined(separator: " ")
  case let message as DidDisconnect:
    return "\(start) \(message.reason)\(message.host.map { " to \($0)" } ?? "")"
  case let message as WillContinueUserActivity: return "\(start) \(message.activityType)"
  case let message as UserActivityMessage: return "\(start) \(text(message.userActivity))"
  case let message as OpenURLContexts:
    return "\(start) \(message.urlContexts.map(\.url).joined(separator: " "))"
  case let message as PerformActionForShortcutItem: return "\(start) \(message.shortcutItem.type)"
  case let message as DidReceiveNotificationResponse:
    return "\(start) \(message.notificationResponse.json)"
  case let message as DidFinishLaunching:
    return (["\(callback.kind)"] + text(message.options)).joined(separator: " ")
  case let message as ConfigurationForConnecting:
    let session = message.sceneSession
    let start = "\(callback.kind) \(text(session.persistentIdentifier))"
    return
      ([start, session.name, session.configuration.name].compactMap(\.self)
      + text(message.options)).joined(separator: " ")
  case let message as DidDiscardSceneSessions:
    let sessions = message.sceneSessions.map { text($0.persistentIdentifier) }
    let start = "\(callback.kind) \(message.report.request.low).\(message.report.part)"
    return ([start] + sessions + (message.more ? ["more"] : [])).joined(separator: " ")
  default: return callback.kind.isOfDelegate ? "\(callback.kind)" : start
  }
}

private func text(_ options: ConnectionOptions) -> [String] {
  options.userActivities.map { "for \(text($0))" } + options.urlContexts.map { "url \($0.url)" }
    + [
      options.handoffUserActivityType.map { "handoff \($0)" },
      options.notificationResponse.map { "notification \($0.json)" },
      options.shortcutItem.map { "shortcut \($0.type)" },
      options.sourceApplication.map { "from \($0)" },
    ].compactMap { $0 }
}

/// The type of an activity with its userInfo.
func text(_ activity: Activity) -> String {
  let document = JSONDocument()
  guard (try? document.read(activity.json.bytes.span)) != nil,
    let userInfo = document.root["userInfo"]
  else { return "no activity" }
  return "\(activity.type)\(userInfo.raw)"
}

private func text(_ notification: BrokerNotification) -> String {
  switch notification {
  case .sessionChanged(let summary): "changed \(text(summary))"
  case .sessionDiscarded(let session): "discarded \(text(session))"
  case .phaseChanged(let phase): "phase \(phase)"
  case .memoryWarning: "memoryWarning"
  case .significantTimeChange: "significantTimeChange"
  case .activated(let session): "activated \(text(session))"
  case .posted(let event):
    ([event.topic, event.kind, "\(event.payload.json)", "\(event.position)"]
      + [event.session.map(text), event.gap ? "gap" : nil]).compactMap { $0 }
      .joined(separator: " ")
  case .trace(let entry): "trace \(text(entry))"
  case .sceneConnected(let message):
    "connected \(text(message.session)) \(message.isNew ? "new " : "")\(message.reason)"
  case .sceneDisconnected(let message):
    "disconnected \(text(message.session)) \(message.reason)"
      + (message.callback.map { " \($0)" } ?? "")
  case .sceneExited(let message): "exited \(text(message.session)) \(message.exit)"
  case .overran(let message): "overran \(message.callback) \(message.id)"
  }
}

private func text(_ summary: SessionSummary) -> String {
  var parts = ["\(text(summary.session)) \(summary.state)"]
  if summary.target != summary.state { parts.append("to \(summary.target)") }
  if let end = summary.disconnect {
    parts.append("after \(end.reason)\(end.callback.map { " \($0)" } ?? "")")
  }
  return parts.joined(separator: " ")
}

extension TraceEntry {
  /// The detail with the requester.
  var wholeDetail: String? {
    guard let by else { return detail }
    let words = "by \(by.name) \(by.pid)"
    return detail.map { "\($0) (\(words))" } ?? words
  }
}

/// An entry of the trace as text: the event, its subject and its reason.
func text(_ entry: TraceEntry) -> String {
  [
    "\(entry.event)", entry.session.map(text), entry.callback, entry.reason,
    entry.state.map { "to \($0)" }, entry.generation.map { "\($0)" }, entry.topic, entry.kind,
    entry.position.map { "\($0)" }, entry.wholeDetail,
  ].compactMap { $0 }.joined(separator: " ")
}

// MARK: - Values

/// A small activity with a number.
func note(_ number: Int) -> Activity {
  activity(#"{"activityType":"note","userInfo":{"n":\#(number)}}"#)
}

/// An activity of exactly `byteCount` bytes.
func note(byteCount: Int) -> Activity {
  let empty = #"{"activityType":"note","userInfo":{"text":""}}"#
  let text = String(repeating: "x", count: byteCount - empty.utf8.count)
  return activity(#"{"activityType":"note","userInfo":{"text":"\#(text)"}}"#)
}

func url(_ text: String) -> OpenURLContext {
  OpenURLContext(unchecked: json(#"{"url":"\#(text)","options":{"sourceApplication":"files"}}"#))
}

func shortcut(_ type: String) -> ShortcutItem {
  ShortcutItem(unchecked: json(#"{"type":"\#(type)"}"#))
}

func notification(_ text: String) -> NotificationResponse {
  NotificationResponse(unchecked: json(text))
}

func activity(_ text: String) -> Activity { Activity(unchecked: json(text)) }

func object(_ text: String) -> OpaqueObject { OpaqueObject(unchecked: json(text)) }

func json(_ text: String) -> RawJSON { RawJSON(unchecked: ContiguousArray(text.utf8)) }

extension RoleConfigurations {
  static let screen = RoleConfigurations(
    role: .windowExternalDisplay, configurations: [SceneConfiguration(name: "Screen")])
}

extension Manifest {
  /// One role with configurations of these delegate classes, each called like its class.
  static func hosting(_ classes: String..., kind: ConfigurationKind = .group) -> Manifest {
    hosting(classes, kind: kind)
  }

  static func hosting(_ classes: [String], kind: ConfigurationKind = .group) -> Manifest {
    Manifest(
      supportsMultipleScenes: true,
      roles: [
        RoleConfigurations(
          role: .windowApplication,
          configurations: classes.map {
            SceneConfiguration(name: $0, delegateClass: $0, kind: kind)
          })
      ])
  }
}
