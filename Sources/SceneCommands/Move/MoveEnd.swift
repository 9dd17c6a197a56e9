import SceneCommandLine
import SceneControl
import SceneHandoff
import SceneJSON
import SceneModel
import ScenePlatform
import SceneWire

extension CommandContext {
  /// Performs the actions of the source. `target` is the other host, as the user calls it.
  /// `isAtUser` is whether the user runs this end, and not the other one.
  func sendSession(
    _ session: FoundSession, to target: String, over channel: MoveChannel, isAtUser: Bool
  ) throws -> MoveArrival {
    let summary = session.details.summary
    let remote = isAtUser ? invocation.value("remote") : nil
    let typed = isAtUser && remote == nil ? invocation.value("to") : nil
    let destination = typed == target ? nil : typed
    let offer = try self.offer(of: session, to: target)
    if isAtUser { warnWithoutFiles(offer) }
    var source = MoveSource(offer, hasScene: summary.state != .unattached)
    var action = source.start()
    return try explaining(summary.label, source.isUnconfirmed) {
      while true {
        let event: MoveSource.Event
        do {
          switch action {
          case .channel(let action):
            event = try perform(action, on: channel, isAtUser).map { .line($0) } ?? .done
          case .disconnect:
            try disconnect(summary, to: target)
            event = .done
          case .release(let fence):
            let released = try request(
              SessionRelease(
                session: summary.session, fence: fence, to: target, destination: destination,
                remote: remote))
            do {
              event = .content(try content(of: released, fence: fence, isAtUser: isAtUser))
            } catch {
              throw MoveFailure(lost: failure(for: error), summary.label, isUnconfirmed: true)
            }
          case .show:
            let shown = try request(SessionShow(session: summary.session))
            event = .content(try content(of: shown, fence: 1, isAtUser: isAtUser))
          case .confirm(let fence):
            _ = try request(
              SessionRelease(session: summary.session, fence: fence, to: target, confirmed: true))
            event = .done
          case .takeBack(let moved):
            _ = try request(
              SessionAdopt(
                sceneSession: moved.sceneSession, generation: moved.generation, fence: moved.fence,
                from: target, maker: moved.maker))
            event = .done
          case .finish(let arrival): return arrival
          case .fail(let refusal, let isFromOtherEnd):
            throw MoveFailure(refusal, isFromOtherEnd: isFromOtherEnd)
          }
        } catch let error where error.isAnswer {
          event = .refused(refusal(for: error), isInUse: error.isInUse)
        }
        action = try source.handle(event)
      }
    }
  }

  /// Performs the actions of the target. The offer returns with the identifier of the session here.
  func receiveSession(
    from sender: String?, over channel: MoveChannel
  ) throws -> (offer: MoveOffer, arrival: MoveArrival) {
    let isAtUser = sender != nil
    var target = MoveTarget(leavesProgram: isAtUser && invocation.has("anyway"))
    var action = target.start()
    // The state of a copy, which is a session of its own.
    let identifier = SessionIdentifier(
      random: .random(in: 0...UInt64.max), .random(in: 0...UInt64.max))
    return try explaining(target.offer?.label, target.isUnconfirmed) {
      while true {
        let event: MoveTarget.Event
        do {
          switch action {
          case .channel(let action):
            event = try perform(action, on: channel, isAtUser).map { .line($0) } ?? .done
          case .check(let offer):
            if isAtUser { warnWithoutFiles(offer) }
            event = try check(offer)
          case .adopt(var session, let isArriving):
            if let problem = session.files?.problem() {
              throw ProgramError(.badData, "cannot write the data directory: \(problem)")
            }
            guard let offer = target.offer else { preconditionFailure("the offer precedes it") }
            if offer.isCopy { session.sceneSession.persistentIdentifier = identifier }
            session.sceneSession.program?.move(from: offer.home, to: User.home)
            if isArriving || session.files == nil { warn(of: session, offer, isAtUser: isAtUser) }
            let reply = try request(
              SessionAdopt(
                sceneSession: session.sceneSession, generation: session.generation,
                fence: session.fence, from: sender ?? offer.host, arriving: isArriving,
                maker: session.maker))
            event = .adopted(
              MoveArrival(name: reply.name, generation: session.generation), isNew: reply.adopted)
          case .write(let files):
            guard let offer = target.offer else { preconditionFailure("the offer precedes it") }
            let session = offer.isCopy ? identifier : offer.session
            try files.write(to: request(DataDirectory(session: session)).path)
            event = .done
          case .finish(var offer, let arrival):
            if offer.isCopy { offer.session = identifier }
            return (offer, arrival)
          case .fail(let refusal, let isFromOtherEnd):
            throw MoveFailure(refusal, isFromOtherEnd: isFromOtherEnd)
          }
        } catch let error where error.isAnswer {
          event = .refused(refusal(for: error))
        }
        action = try target.handle(event)
      }
    }
  }

  /// Performs an end of the exchange. An error names the session and says whether it stays away.
  private func explaining<Result>(
    _ label: @autoclosure () -> String?, _ isUnconfirmed: @autoclosure () -> Bool,
    _ exchange: () throws -> Result
  ) throws -> Result {
    do {
      return try exchange()
    } catch let error as MoveFailure {
      throw error
    } catch {
      let isOfExchange = error is MoveChannelError || error is MemberError
      throw MoveFailure(
        lost: isOfExchange ? error : failure(for: error), label(), isUnconfirmed: isUnconfirmed())
    }
  }

  /// The line that was read, if the action reads one.
  private func perform(
    _ action: MoveChannelAction, on channel: MoveChannel, _ isAtUser: Bool
  ) throws -> MoveLine? {
    switch action {
    case .send(let line): try channel.send(line)
    case .readLine: return try channel.read()
    case .copyFiles(let paths): if isAtUser { try copyFiles(paths) }
    }
    return nil
  }

  // MARK: - The source

  private func offer(of session: FoundSession, to target: String) throws -> MoveOffer {
    var offer: MoveOffer
    do throws(MoveRefusal) {
      offer = try MoveOffer(
        session.details, from: Host.name, to: target,
        isCopy: invocation.knows("copy") && invocation.has("copy"), options: suggestions().options)
    } catch {
      throw ProgramError(.failure, error.message)
    }
    offer.home = User.home
    offer.leavesProgram = invocation.knows("anyway") && invocation.has("anyway")
    return offer
  }

  /// Ends the scene, which saves.
  private func disconnect(_ summary: SessionSummary, to host: String) throws {
    let reply = try broker.request(
      SceneTransition(
        session: summary.session, to: .unattached, cause: .handedOff, host: host),
      until: deadline)
    guard reply.state == .unattached else {
      throw ProgramError(
        .failure,
        "\(summary.label): the scene is \(reply.state.rawValue): a later request replaced this one")
    }
  }

  /// The content with the data directory, if both fit a line.
  private func content(
    of details: SessionDetails, fence: Int64, isAtUser: Bool
  ) throws -> MovedSession {
    let summary = details.summary
    let directory = try request(DataDirectory(session: summary.session)).path
    let files = try MovedFiles(in: directory)
    var moved = MovedSession()
    moved.sceneSession = details.sceneSession
    moved.generation = summary.generation
    moved.fence = fence
    moved.maker = details.maker
    moved.removeVariables()
    moved.skippedFiles = files.skippedCount
    moved.files = files.isTooLarge ? nil : files.files
    if moved.files != nil, MoveLine.session(moved).bytes.count > MoveLine.byteLimit {
      moved.files = nil
    }
    if isAtUser { warn(of: moved, label: summary.label, host: Host.name) }
    return moved
  }

  // MARK: - The target

  /// Checks that the session and its program can arrive.
  private func check(_ offer: MoveOffer) throws -> MoveTarget.Event {
    try checkNoAgent(at: offer.target, orElse: "run scenehandoff at both hosts, or at neither")
    let own = try broker.find(offer.session, until: replyDeadline())?.details.summary
    let fence = try offer.fence(besides: own)
    if let name = offer.name, !offer.isCopy,
      let other = try broker.find(named: name, until: replyDeadline()),
      other.identifier != offer.session
    {
      throw MoveRefusal(
        "a session called \(offer.label) already exists at \(offer.target); rename one of them")
    }
    if var program = offer.program {
      program.move(from: offer.home, to: User.home)
      do throws(SystemError) {
        _ = try Executable.path(of: program.nextArguments, in: program.directory)
      } catch {
        guard !offer.leavesProgram else { return .checked(fence: fence, canRun: false) }
        throw MoveRefusal(
          "cannot run \(program.nextArguments[0]) in \(program.directory) at \(offer.target): "
            + "\(error); use --anyway to move the session without its program")
      }
    }
    return .checked(fence: fence)
  }

  private func warn(of session: MovedSession, _ offer: MoveOffer, isAtUser: Bool) {
    if isAtUser { warn(of: session, label: PlainText.escaped(offer.label), host: offer.host) }
  }

  // MARK: - Both ends

  /// Reports the files that stay at the source.
  private func warn(of session: MovedSession, label: String, host: String) {
    let host = PlainText.escaped(host)
    if session.files == nil {
      console.printError(
        "scenectl: \(label): the data directory stays at \(host): it has more than "
          + "\(FileLimits.move)")
    } else if session.skippedFiles > 0 {
      let count = counted(session.skippedFiles, "link or device", "links or devices")
      console.printError("scenectl: \(label): left at \(host): \(count) of the data directory")
    }
    if !session.skippedVariables.isEmpty {
      let names = PlainText.escaped(session.skippedVariables.joined(separator: ", "))
      console.printError(
        "scenectl: \(label): the variables of its command stay at \(host): \(names)")
    }
  }

  private func warnWithoutFiles(_ offer: MoveOffer) {
    guard invocation.value("files") != nil, offer.files.isEmpty else { return }
    console.printError(
      "scenectl: \(PlainText.escaped(offer.label)): the activity lists no files for --files")
  }

  /// Gives the paths to the command of `--files`.
  private func copyFiles(_ paths: [String]) throws {
    guard let text = invocation.value("files") else { return }
    let words = try words(of: text, "--files")
    let list = try TemporaryFile(ContiguousArray(paths.map { $0 + "\n" }.joined().utf8))
    let input = try FileDescriptor.duplicating(list.number)
    let child = try ChildProcess.spawn(
      words[0], Array(words.dropFirst()),
      descriptors: [
        0: input.number, 1: StandardStream.error.number, 2: StandardStream.error.number,
      ])
    let end = try child.reap()
    guard end.isSuccess else {
      throw ProgramError(
        .failure, "the command of --files \(end); nothing has moved")
    }
  }

  /// The words of an option that names a command.
  func words(of text: String, _ option: String) throws -> [String] {
    let words: [String]
    do throws(ShellWordsError) {
      words = try ShellWords.split(text)
    } catch {
      throw invocation.usageError("\(option): \(error)")
    }
    guard !words.isEmpty else { throw invocation.usageError("\(option): expected a command") }
    return words
  }

  /// Whether `scenehandoff` moves the sessions of this broker.
  func isAgentRunning() throws -> Bool {
    try broker.hasHandoffAgent(until: replyDeadline())
  }

  /// Throws if `scenehandoff` moves the sessions of this broker.
  func checkNoAgent(
    at host: String = "this host", orElse advice: @autoclosure () -> String
  ) throws {
    guard try isAgentRunning() else { return }
    throw ProgramError(
      .failure, "scenehandoff moves the sessions of \(PlainText.escaped(host)); \(advice())")
  }

  /// An error of this end, for the other one.
  func refusal(for error: any Error) -> MoveRefusal {
    if let refusal = error as? MoveRefusal { return refusal }
    let failure = failure(for: error)
    return MoveRefusal(failure.message, status: Int64(failure.code.rawValue))
  }
}

extension Error {
  fileprivate var isInUse: Bool {
    guard case .refused(let refusal)? = self as? ControlError else { return false }
    return refusal.is(.sessionInUse)
  }

  /// Whether the action certainly had no effect. After a lost connection, the broker can have
  /// performed a request.
  fileprivate var isAnswer: Bool {
    switch self {
    case let error as ControlError:
      if case .refused = error { true } else { false }
    default: self is ProgramError || self is SystemError || self is MoveRefusal
    }
  }
}

/// The end of an exchange without a move.
struct MoveFailure: Error {
  /// Why, for the user.
  let refusal: MoveRefusal
  /// Whether the other end knows.
  let isFromOtherEnd: Bool
  /// The error of the connection; nil if an end has refused.
  var connection: MoveChannelError?
  var label: String?
  /// Whether the session stays away until the same command finishes the move.
  var isUnconfirmed = false

  init(_ refusal: MoveRefusal, isFromOtherEnd: Bool) {
    self.refusal = refusal
    self.isFromOtherEnd = isFromOtherEnd
  }

  /// The connection to the other end or to the broker is lost.
  init(lost error: any Error, _ label: String?, isUnconfirmed: Bool) {
    switch error {
    case let error as MoveChannelError: connection = error
    case let error as MemberError: connection = .invalid(error)
    default: break
    }
    refusal = MoveRefusal(
      ProgramError(error).message, status: Int64(ProgramError(error).code.rawValue))
    isFromOtherEnd = false
    self.label = label
    self.isUnconfirmed = isUnconfirmed
  }
}
