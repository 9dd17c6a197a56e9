import SceneControl
import SceneHandoff
import SceneJSON
import SceneModel
import ScenePlatform
import SceneWire

/// The connection to the broker. It performs the requests of the agent, and passes its events on.
final class BrokerPort {
  private typealias Reply = Result<RawJSON, ControlError>

  /// Whether no other agent serves the broker.
  let isAlone: Bool

  private let connection: ControlConnection
  private var waiting: [Int64: (Reply) -> Void] = [:]
  private var events: [AgentEvent] = []
  private let home = User.home
  /// The data directories that the broker has told.
  private var directories: [SessionIdentifier: String] = [:]

  /// How often a release is tried while clients connect.
  private static let releaseAttempts = 3

  /// Connects, and reads all sessions.
  init(_ path: String) throws(ControlError) {
    let deadline = SystemClock.monotonic() + 10_000_000_000
    connection = try ControlConnection.open(
      path, as: ClientName(name: "scenehandoff", version: productVersion), until: deadline)
    _ = try connection.request(SessionObserve(), until: deadline)
    _ = try connection.request(EventObserve(topic: HandoffTopic.requests), until: deadline)
    isAlone = try connection.observers(of: HandoffTopic.requests, until: deadline) == 1
    guard isAlone else { return }
    // Ends the questions that an earlier agent left open.
    answer(HandoffReply())
    let summaries = try connection.sessions(until: deadline)
    var contents: [SessionContent] = []
    for summary in summaries {
      if let found = try connection.find(summary.session, until: deadline) {
        contents.append(content(found.details))
      }
    }
    events = [.brokerOpened(contents)]
  }

  var descriptor: Int32 { connection.descriptor }

  /// The events that have arrived.
  func process() throws(ControlError) -> [AgentEvent] {
    try connection.handleInput()
    for notification in try connection.takeNotifications() {
      switch notification.content {
      case .sessionChanged(let summary): events.append(.sessionChanged(summary.session))
      case .sessionDiscarded(let session):
        directories[session] = nil
        events.append(.sessionChanged(session))
      case .posted(let event):
        let payload = event.payload.json.bytes
        if let question = HandoffQuestion(key: payload) {
          events.append(.command(question))
        } else if var reply = HandoffReply(key: payload) {
          reply.refused = "scenehandoff does not know the command; install the same version of both"
          answer(reply)
        }
      default: break
      }
    }
    for number in waiting.keys.sorted() where connection.isAnswered(number) {
      let action = waiting.removeValue(forKey: number)
      action?(
        Result { () throws(ControlError) in try connection.result(of: number) })
    }
    try connection.flush()
    defer { events = [] }
    return events
  }

  // MARK: - Requests of the agent

  func perform(_ number: UInt64, _ request: HostRequest) {
    switch request {
    case .show(let session, let withFiles): show(session, number, withFiles: withFiles)
    case .release(let session, let fence, let host):
      release(session, fence, host, number, attempts: Self.releaseAttempts)
    case .confirm(let session, let fence, let host):
      post(SessionRelease(session: session, fence: fence, to: host, confirmed: true)) {
        self.finish(number, session, $0)
      }
    case .adopt(let session, let content, let files, let fence, let host):
      adopt(session, content, files, fence, host, number)
    case .save(let session, let contents): save(session, contents[...], number)
    case .discard(let session):
      post(RequestDestruction(sessions: [session])) { self.finish(number, session, $0) }
    }
  }

  private func post(_ message: some RequestMessage, then action: @escaping (Reply) -> Void) {
    waiting[connection.post(message)] = action
  }

  /// Answers with the session as it is now, or with the error.
  private func finish(
    _ number: UInt64, _ session: SessionIdentifier, _ reply: Reply, withFiles: Bool = false
  ) {
    switch reply {
    case .success: show(session, number, withFiles: withFiles)
    case .failure(let error): refuse(number, error.text)
    }
  }

  private func refuse(_ number: UInt64, _ why: String) {
    events.append(.brokerReply(number, .refused(why)))
  }

  private func show(_ session: SessionIdentifier, _ number: UInt64, withFiles: Bool = false) {
    post(SessionShow(session: session)) { [self] reply in
      do throws(ControlError) {
        var content = content(
          try ControlConnection.read(SessionDetails.self, from: try reply.get()))
        guard withFiles else { return events.append(.brokerReply(number, .session(content))) }
        withDirectory(of: session, number) { [self] path in
          content.files = directory(at: path)
          events.append(.brokerReply(number, .session(content)))
        }
      } catch {
        if case .refused(let refusal) = error, refusal.is(.sessionNotFound) {
          return events.append(.brokerReply(number, .session(nil)))
        }
        refuse(number, error.text)
      }
    }
  }

  /// Calls `body` with the data directory, or refuses the request of the agent.
  private func withDirectory(
    of session: SessionIdentifier, _ number: UInt64, _ body: @escaping (String) -> Void
  ) {
    if let path = directories[session] { return body(path) }
    post(DataDirectory(session: session)) { [self] reply in
      do throws(ControlError) {
        let path = try ControlConnection.read(
          DataDirectory.Reply.self, from: try reply.get()
        ).path
        directories[session] = path
        body(path)
      } catch {
        refuse(number, error.text)
      }
    }
  }

  private func directory(at path: String) -> DirectoryContent {
    do throws(SystemError) {
      let directory = try MovedFiles(in: path, within: .engine)
      return DirectoryContent(
        directory.files, problem: directory.isTooLarge ? DirectoryContent.tooLarge : nil)
    } catch {
      return DirectoryContent([], problem: "\(error)")
    }
  }

  private func release(
    _ session: SessionIdentifier, _ fence: Int64, _ host: String, _ number: UInt64, attempts: Int
  ) {
    let end = SceneTransition(session: session, to: .unattached, cause: .handedOff, host: host)
    post(end) { [self] _ in
      // Without a scene, the transition fails; the release decides.
      post(SessionRelease(session: session, fence: fence, to: host)) { [self] reply in
        if case .failure(.refused(let refusal)) = reply, refusal.is(.sessionInUse), attempts > 1 {
          return release(session, fence, host, number, attempts: attempts - 1)
        }
        finish(number, session, reply, withFiles: true)
      }
    }
  }

  private func adopt(
    _ session: SessionIdentifier, _ content: StoredContent, _ files: DirectoryContent?,
    _ fence: Int64, _ host: String, _ number: UInt64
  ) {
    guard var record = record(in: content, number) else { return }
    // Another process can have written the content under this key.
    record.persistentIdentifier = session
    record.keepPortable()
    record.program?.from = host
    record.program?.move(from: "~", to: home ?? "/")
    var adoption = SessionAdopt(
      sceneSession: record, generation: content.generation, fence: fence, from: host,
      maker: content.maker)
    guard let files = files?.files else {
      return post(adoption) { self.finish(number, session, $0) }
    }
    adoption.arriving = true
    post(adoption) { [self] reply in
      guard case .success(let json) = reply,
        (try? ControlConnection.read(SessionAdopt.Reply.self, from: json))?.adopted == true
      else { return finish(number, session, reply) }
      withDirectory(of: session, number) { [self] path in
        do throws(SystemError) {
          try files.write(to: path)
        } catch {
          return refuse(number, "the data directory cannot be written: \(error)")
        }
        adoption.arriving = false
        post(adoption) { self.finish(number, session, $0) }
      }
    }
  }

  /// The record in a content; otherwise nil, and the request of the agent is refused.
  private func record(in content: StoredContent, _ number: UInt64) -> SceneSessionRecord? {
    do throws(MemberError) {
      return try SceneSessionRecord(parsing: content.sceneSession.json.bytes)
    } catch {
      refuse(number, "the content in etcd is unreadable: \(error)")
      return nil
    }
  }

  private func save(
    _ session: SessionIdentifier, _ contents: ArraySlice<StoredContent>, _ number: UInt64
  ) {
    guard let content = contents.first else { return show(session, number) }
    guard let record = record(in: content, number) else { return }
    post(SaveActivity(session: session, activity: record.stateRestorationActivity)) { reply in
      if case .failure = reply { return self.finish(number, session, reply) }
      self.save(session, contents.dropFirst(), number)
    }
  }

  /// The content of a session in the engine. A directory below the home is relative to it.
  private func content(_ details: SessionDetails) -> SessionContent {
    var record = details.sceneSession
    record.keepPortable()
    if home != "/" { record.program?.move(from: home, to: "~") }
    var entry = SessionEntry()
    entry.name = record.name
    entry.title = record.title
    entry.role = record.role
    entry.configuration = record.configuration.name
    entry.program = record.program
    entry.generation = details.summary.generation
    entry.time = SystemClock.wall() / 1_000_000
    return SessionContent(
      entry, of: details.summary.session, lastUsed: details.summary.lastUsed,
      isEligible: record.configuration.kind != .settings
        && record.stateRestorationActivity?.isEligibleForHandoff ?? true,
      away: details.summary.away, fence: details.summary.fence ?? 0,
      maker: details.maker, record: record.json)
  }

  // MARK: - Requests of people

  func answer(_ reply: HandoffReply) {
    for page in reply.pages {
      let payload = OpaqueObject(unchecked: page.json)
      connection.forget(
        connection.post(EventPost(topic: HandoffTopic.replies, payload: payload)))
    }
  }
}

extension SceneSessionRecord {
  /// Removes what has a meaning only at one host.
  fileprivate mutating func keepPortable() {
    program?.environment = nil
    program?.onActivate = nil
    program?.from = nil
    placement = ScenePlacement(placement).flatMap {
      ScenePlacement(isPrompt: $0.isPrompt, tmux: nil).object
    }
  }
}

extension ControlError {
  /// The reason for people.
  var text: String {
    switch self {
    case .refused(let refusal): refusal.message
    case .noBroker(let path, let error): "no broker at \(path): \(error)"
    case .lost(let words): words ?? "the broker has closed the connection"
    case .timedOut: "the broker does not answer"
    case .garbled(let why), .otherApplication(let why): why
    case .unread: "standard output has no reader"
    case .system(let error): "\(error)"
    }
  }
}
