import SceneCommandLine
import SceneControl
import SceneHandoff
import SceneJSON
import SceneModel
import ScenePlatform

extension Verb {
  static let handoff = Verb(
    "handoff", "Show and take the sessions of all hosts.", run: CommandContext.handoff,
    details: """
      The verb asks scenehandoff, which must run at this host. SESSION is the name of a session, \
      its identifier or the start of its identifier.
      """,
    verbs: [
      Command(
        "list", "List the sessions of all hosts.",
        details: """
          PUBLISHED is the generation that other hosts can get. With --json the verb prints one \
          object, and with --json --watch one for each change.
          """,
        options: [
          .flag(
            "watch", short: "w", "keep the list up to date until Ctrl-C or the end of the broker")
        ],
        examples: ["scenectl handoff": "Shows the host of each session."]),
      Command(
        "take", "Continue a session of another host at this one.",
        details: """
          The host of the session saves and releases it first. If that host is absent, this one \
          gets the last published content. Without --seen, the verb takes the session from the \
          host that has it now.
          """,
        arguments: [.required("SESSION", "the session")],
        options: [
          .value(
            "seen", "FENCE", "fail if the session has moved since the list showed this fence",
            .integer(0...Int.max)),
          .flag(
            "force",
            "take the session from a host that runs but does not answer; its later saves "
              + "become a conflict"),
          .flag("copy", "make a new session from the published content; the host keeps its own"),
          .flag("anyway", "take the session even if its program cannot start here"),
          .flag("open", "reopen the session's window"),
        ],
        exclusive: [["copy", "force"], ["copy", "seen"]],
        examples: [
          "scenectl handoff take notes --open": "Continues notes in a window at this host."
        ],
        exits: [
          .failure: "the session has moved, or its host or this host refused",
          .noSession: "no host has the session",
        ]),
      Command(
        "conflicts", "List the sessions that two hosts have changed.",
        examples: ["scenectl handoff conflicts": "Shows the hosts of the other contents."]),
      Command(
        "keep", "Make one content of a conflict current.",
        details: "The other content is in the history of the session.",
        arguments: [
          .required("SESSION", "a session of this host", .listed(by: "sessions --names"))
        ],
        options: [.value("from", "HOST", "the host whose content becomes current", .name)],
        examples: [
          "scenectl handoff keep notes --from laptop": "Makes the content of laptop current."
        ], exits: [.failure: "there is no such conflict", .noSession: "no host has the session"]),
    ],
    defaultVerb: "list",
    exits: [.noBroker: "no broker or no scenehandoff runs"])
}

extension CommandContext {
  fileprivate func handoff() throws -> ExitCode {
    switch invocation.verbs.last {
    case "take": try takeSession()
    case "keep": try keepContent()
    case "conflicts": try list { !$0.conflicts.isEmpty }
    default: try list { _ in true }
    }
  }

  // MARK: - The agent

  /// The answer of the agent.
  private func answer(to question: HandoffQuestion) throws -> HandoffReply {
    let deadline = min(SystemClock.monotonic() + Self.handoffTimeout, horizon ?? .max)
    guard try isAgentRunning() else {
      throw ProgramError(
        .noBroker,
        "scenehandoff does not run at this host\nStart it with: scenehandoff"
          + "\(suggestions().options) --engine ADDRESS")
    }
    _ = try broker.request(EventObserve(topic: HandoffTopic.replies), until: deadline)
    let id = "\(ProcessIdentity.currentPID)-\(SystemClock.wall())"
    var question = question
    question.id = id
    let payload = OpaqueObject(unchecked: question.json)
    _ = try broker.request(
      EventPost(topic: HandoffTopic.requests, payload: payload), until: deadline)
    let ended = ProgramError(
      .noBroker,
      "scenehandoff ended before it answered; when it runs again, look with: "
        + suggestions().line("handoff"))
    var answer = HandoffReply()
    repeat {
      let now = SystemClock.monotonic()
      guard
        let notification = try broker.nextNotification(until: min(deadline, now + 250_000_000))
      else {
        guard now < deadline else {
          throw ProgramError(.timedOut, "scenehandoff does not answer; look at its log")
        }
        guard try isAgentRunning() else { throw ended }
        continue
      }
      guard case .posted(let event) = notification.content else { continue }
      let reply = try ControlConnection.read(HandoffReply.self, from: event.payload.json)
      // The greeting of another scenehandoff.
      if reply.id.isEmpty { throw ended }
      guard reply.id == id else { continue }
      let sessions = (answer.status?.sessions ?? []) + (reply.status?.sessions ?? [])
      answer = reply
      answer.status?.sessions = sessions
    } while answer.id != id || answer.more
    return answer
  }

  /// Longer than the agent waits for another host.
  private static let handoffTimeout: Int64 = 17_000_000_000

  private func status() throws -> HandoffStatus {
    guard let status = try answer(to: HandoffQuestion()).status else {
      throw ProgramError(.badData, "scenehandoff sent an invalid answer")
    }
    return status
  }

  /// The session with this name, identifier or prefix.
  private func shared(_ word: String, in status: HandoffStatus) throws -> HandoffStatus.Session {
    let named = status.sessions.filter { $0.name == word }
    let prefix = IdentifierPrefix(word)
    let found =
      named.isEmpty ? status.sessions.filter { prefix?.matches($0.session) == true } : named
    guard let session = found.first else {
      let note = status.problem.map { "; etcd cannot be used: \($0)" } ?? ""
      throw ProgramError(
        .noSession,
        "no host has a session called \(PlainText.word(word))\(PlainText.escaped(note))\n"
          + "List the sessions with: " + suggestions().line("handoff"))
    }
    guard found.count == 1 else {
      let list = found.prefix(5).map { "\n  \($0.session) at \($0.owner)" }.joined()
      throw ProgramError(
        .usage, "\(PlainText.word(word)) is the name of \(found.count) sessions; use one of:" + list
      )
    }
    return session
  }

  // MARK: - Lists

  private func list(_ isListed: (HandoffStatus.Session) -> Bool) throws -> ExitCode {
    var shown: HandoffStatus?
    repeat {
      var status = try status()
      status.sessions = status.sessions.filter(isListed)
      var known = status
      known.unreachable = nil
      if known != shown {
        if shown != nil, !printsJSON {
          if console.isScreen { console.clearScreen() } else { console.print("") }
        }
        show(status)
        shown = known
        try console.flush()
      }
      guard invocation.knows("watch"), invocation.has("watch") else { return .success }
      try broker.pause(nanoseconds: 1_000_000_000)
    } while true
  }

  private func show(_ status: HandoffStatus) {
    if printsJSON {
      return console.print(status.json)
    }
    if let problem = status.problem {
      let state =
        status.unreachable.map {
          "not connected to etcd for \(Age.text(from: 1, to: 1 + $0 * 1000)): "
        } ?? ""
      console.printError("scenectl: \(state)\(PlainText.escaped(problem))")
    }
    var table = Table(["SESSION", "HOST", "GENERATION", "PUBLISHED", "FENCE", "PROGRAM", "NOTE"])
    for session in status.sessions {
      let owner = session.owner.isEmpty ? "-" : session.owner
      let host = session.isPresent || session.owner.isEmpty ? owner : "\(owner) (absent)"
      let note =
        session.conflicts.isEmpty
        ? session.problem ?? "" : "conflict with \(session.conflicts.joined(separator: ", "))"
      table.add(
        [
          session.name ?? session.session.short, host, session.generation.map { "\($0)" } ?? "-",
          session.publishedGeneration.map { "\($0)" } ?? "-", "\(session.fence)",
          session.program?.title ?? session.title ?? "", note,
        ].map { Table.Cell(PlainText.escaped($0)) })
    }
    console.print(table)
  }

  // MARK: - Changes

  private func takeSession() throws -> ExitCode {
    let status = try status()
    let session = try shared(invocation.argument("SESSION") ?? "", in: status)
    let name = PlainText.escaped(session.name ?? session.session.short)
    if session.owner != status.host, !invocation.has("anyway"),
      let problem = Self.problem(with: session.program)
    {
      throw ProgramError(
        .failure, PlainText.escaped("\(problem); use --anyway to take \(name) in spite of that"))
    }
    var question = HandoffQuestion(invocation.has("copy") ? .copy : .take, session.session)
    question.seen = invocation.integer("seen").map(Int64.init)
    question.isForced = invocation.has("force")
    let arrived = try change(name, question).session ?? session.session
    let verb = invocation.has("copy") ? "copied" : "taken"
    let source = session.owner.isEmpty ? "" : " from \(PlainText.escaped(session.owner))"
    let isHere = session.owner == status.host
    let outcome = isHere ? "\(name): is at this host" : "\(name): \(verb)\(source)"
    guard invocation.has("open") else {
      let word = verb == "taken" ? session.name?.sessionArgument : nil
      let advice = suggestions().line("reopen \(word ?? "\(arrived)")")
      console.print(isHere ? outcome : "\(outcome); open it with: \(advice)")
      return .success
    }
    if !isHere { console.print(outcome) }
    let socket = try socketPath()
    closeConnection()
    return Scenectl.run(
      ["-S", socket, "reopen", "\(arrived)"], environment: environment, console: console,
      ownsProcess: processControl.ownsProcess)
  }

  /// Why a program cannot start at this host; nil if it can.
  private static func problem(with program: SessionProgram?) -> String? {
    guard var program, let command = program.nextArguments.first else { return nil }
    program.move(from: "~", to: User.home)
    do throws(SystemError) {
      _ = try Executable.path(of: program.nextArguments, in: program.directory)
      return nil
    } catch {
      return "cannot run \(command) in \(program.directory): \(error)"
    }
  }

  private func keepContent() throws -> ExitCode {
    guard let host = invocation.value("from") else {
      throw invocation.usageError("--from is missing; name the host whose content becomes current")
    }
    let session = try shared(invocation.argument("SESSION") ?? "", in: try status())
    let name = PlainText.escaped(session.name ?? session.session.short)
    var question = HandoffQuestion(.keep, session.session)
    question.host = host
    _ = try change(name, question)
    if let session = try broker.find(session.session, until: replyDeadline()),
      session.details.summary.client != nil
    {
      warnOfNextSave(of: session)
    }
    console.print("\(name): has the content of \(PlainText.escaped(host))")
    return .success
  }

  private func change(_ name: String, _ question: HandoffQuestion) throws -> HandoffReply {
    let answer = try answer(to: question)
    if let refused = answer.refused {
      throw ProgramError(.failure, "\(name): \(PlainText.escaped(refused))")
    }
    return answer
  }
}
