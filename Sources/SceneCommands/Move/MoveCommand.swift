import SceneCommandLine
import SceneControl
import SceneModel
import ScenePlatform
import SceneWire

extension Verb {
  static let move = Verb(
    "move", "Move sessions to or from another host.", run: CommandContext.moveSessions,
    details: """
      The scene saves and ends here, and `scenectl reopen` opens its window at the other host. \
      Both hosts need a running broker. HOST is a destination of ssh: the verb runs \
      `ssh HOST scenectl adopt` or `ssh HOST scenectl release`. The session moves with its \
      activity, its command and its data directory, but without its documents. After a lost \
      connection, the same command finishes the move.
      """,
    arguments: [.any("SESSION", "the sessions; default: $SCENE_SESSION", .session)],
    options: [
      .value("to", "HOST", "move the sessions of this host to HOST"),
      .value("from", "HOST", "move the sessions of HOST to this host"),
      .flag(
        "anyway",
        "move a session without its command if the command cannot run there; the session gets the "
          + "command again when it returns"),
      .flag(
        "force",
        "with --from, if HOST is lost for good: make the session present here with its last "
          + "content at this host"),
      .flag("copy", "make a new session from the content; the session itself stays"),
      .value(
        "files", "COMMAND",
        "a command that copies documents before the move: its input has the paths in the member "
          + "`files` of the activity's userInfo, one a line"),
      .value(
        "remote", "COMMAND",
        "the scenectl of HOST, instead of `ssh HOST scenectl`; no shell "
          + "reads its words"),
      .timeout("30s"),
    ],
    exclusive: [["to", "from"], ["force", "copy"]],
    examples: [
      "scenectl move notes --to desktop": "The session leaves this host.",
      "scenectl move notes --from laptop": "The session arrives; open it with `scenectl reopen`.",
      "scenectl move notes --to other --remote 'scenectl -S /run/user/1000/b.sock'":
        "Moves the session to another broker of this machine.",
    ],
    environment: ["SCENE_SSH": "the command instead of `ssh`; no shell reads its words"],
    exits: [
      .failure: "the other host refuses; the session stays",
      .badData: "the other end does not speak this exchange", .noBroker: "HOST is unreachable",
      .timedOut: "HOST did not answer for the time of --timeout",
    ])

  private static func otherEndDetails(_ option: String) -> String {
    "`scenectl move \(option)` starts this verb at the other host. Both exchange one JSON object a "
      + "line on standard input and output."
  }

  static let adopt = Verb(
    "adopt", "Take a session that `scenectl move` sends.", traits: [.runsWithoutLogin],
    run: CommandContext.adopt,
    details: otherEndDetails("--to"),
    exits: [.failure: "the session is refused", .badData: "the input is not of this exchange"])

  static let release = Verb(
    "release", "Send a session to `scenectl move`.", traits: [.runsWithoutLogin],
    run: CommandContext.release,
    details: otherEndDetails("--from"),
    arguments: [.required("SESSION", "the session", .session)],
    options: [
      .value("to", "NAME", "the name of the host that takes the session"),
      .flag("copy", "send the content; the session stays"),
    ],
    exits: [.failure: "the session is refused", .badData: "the input is not of this exchange"])
}

extension CommandContext {
  fileprivate func moveSessions() throws -> ExitCode {
    guard let host = invocation.value("to") ?? invocation.value("from") else {
      throw invocation.usageError("give either --to HOST or --from HOST")
    }
    guard !host.isEmpty, !host.hasPrefix("-") else {
      throw invocation.usageError("HOST must be the name of a host, found \"\(host)\"")
    }
    if invocation.has("force"), invocation.has("to") {
      throw invocation.usageError("--force requires --from HOST, the host that is lost")
    }
    Signal.ignoreBrokenPipes()
    let words = try sessionArguments()
    let take = words.map { suggestions().line("handoff take \($0.sessionArgument)") }
    try checkNoAgent(
      orElse: (invocation.has("to") ? "run at \(PlainText.escaped(host)): " : "use: ")
        + take.joined(separator: " && "))
    var code = ExitCode.success
    for word in words {
      do {
        if invocation.has("force") {
          try takeBack(word, from: host)
        } else if invocation.has("to") {
          try send(word, to: host)
        } else {
          try fetch(word, from: host)
        }
      } catch {
        let failure = failure(for: error)
        console.printError(failure, asJSON: printsJSON)
        if code == .success { code = failure.code }
      }
    }
    return code
  }

  private func send(_ word: String, to host: String) throws {
    let session = try findSessions([word])[0]
    let other = try OtherEnd(host, verb: ["adopt"], in: self)
    let arrival = try other.run {
      try sendSession(session, to: host.hostLabel, over: other.channel, isAtUser: true)
    }
    report(session.details.summary.label, arrival, "to \(PlainText.escaped(host.hostLabel))")
  }

  private func fetch(_ word: String, from host: String) throws {
    let flags = invocation.has("copy") ? ["--copy"] : []
    let other = try OtherEnd(
      host, verb: ["release", "--to", Host.name] + flags + ["--", word], in: self)
    let (offer, arrival) = try other.run {
      try receiveSession(from: host.hostLabel, over: other.channel)
    }
    let argument = arrival.name?.sessionArgument ?? offer.session.short
    let hint =
      try broker.find(offer.session, until: replyDeadline())?.details.summary.program == nil
      ? "" : "; open it with: " + suggestions().line("reopen \(argument)")
    report(
      PlainText.escaped(offer.label), arrival, "from \(PlainText.escaped(host.hostLabel))", hint)
  }

  private func report(
    _ label: String, _ arrival: MoveArrival, _ way: String, _ hint: String = ""
  ) {
    if printsJSON { return console.print(arrival) }
    let verb = invocation.has("copy") ? "copied" : "moved"
    let rest =
      !arrival.leavesProgram
      ? hint
      : " without its command"
        + (invocation.has("copy") ? "" : ", which it gets again when it returns")
    console.print("\(label): \(verb) \(way) (generation \(arrival.generation))\(rest)")
  }

  /// Makes an away session present again, with the content of its release.
  private func takeBack(_ word: String, from host: String) throws {
    let details = try findSessions([word])[0].details
    let label = details.summary.label
    guard let away = details.summary.away else {
      throw ProgramError(.failure, "\(label) is present at this host; --force has nothing to do")
    }
    guard away.to == host.hostLabel else {
      throw ProgramError(
        .failure,
        "\(label) is at \(PlainText.escaped(away.to)), and not at \(PlainText.escaped(host))")
    }
    _ = try request(
      SessionAdopt(
        sceneSession: details.sceneSession, generation: details.summary.generation,
        fence: away.fence + 1, from: away.to, maker: details.maker))
    report(
      label, MoveArrival(name: details.summary.name, generation: details.summary.generation),
      "from \(PlainText.escaped(away.to))")
  }

  // MARK: - The other end

  fileprivate func adopt() throws -> ExitCode {
    try answer { channel in _ = try receiveSession(from: nil, over: channel) }
  }

  fileprivate func release() throws -> ExitCode {
    guard let target = invocation.value("to"), !target.isEmpty else {
      throw invocation.usageError("--to NAME is missing")
    }
    return try answer { channel in
      try checkNoAgent(at: Host.name, orElse: "run scenehandoff at both hosts, or at neither")
      let session = try findSessions([invocation.argument("SESSION") ?? ""])[0]
      _ = try sendSession(session, to: target.hostLabel, over: channel, isAtUser: false)
    }
  }

  /// Runs an end of the exchange on the standard streams. The user's end prints all errors that
  /// reach it.
  private func answer(_ body: (MoveChannel) throws -> Void) throws -> ExitCode {
    guard !StandardStream.input.isTerminal else {
      throw invocation.usageError("scenectl move at the other host starts this verb")
    }
    Signal.ignoreBrokenPipes()
    let channel = try MoveChannel(
      input: .duplicating(StandardStream.input.number),
      output: .duplicating(StandardStream.output.number), timeout: nil)
    do {
      try body(channel)
      return .success
    } catch let failure as MoveFailure where failure.connection != nil {
      throw ProgramError(.badData, failure.connection?.message ?? "")
    } catch let failure as MoveFailure {
      let status = ExitCode(rawValue: Int32(clamping: failure.refusal.status)) ?? .failure
      if failure.isUnconfirmed { throw ProgramError(status, failure.refusal.message) }
      if !failure.isFromOtherEnd { try? channel.send(.refuse(failure.refusal)) }
      return status
    } catch {
      let refusal = refusal(for: error)
      try? channel.send(.refuse(refusal))
      return ExitCode(rawValue: Int32(clamping: refusal.status)) ?? .failure
    }
  }
}

extension String {
  /// The host of a destination of ssh: without its user.
  var hostLabel: String { split(separator: "@").last.map(String.init) ?? self }
}

extension MoveChannelError {
  var message: String {
    switch self {
    case .ended: "the other end closed the connection in the middle of the exchange"
    case .timedOut: "the other end does not answer"
    case .foreign(let line):
      "expected a line of the exchange, found \"\(PlainText.escaped(line))\""
    case .invalid(let error): "invalid line of the exchange: \(PlainText.escaped("\(error)"))"
    case .tooLong: "a line of the exchange has more than \(MoveLine.byteLimit >> 20) MiB"
    case .failed(let error): "\(error)"
    }
  }
}
