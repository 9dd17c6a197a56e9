import CommandLine
import JSON
import SceneJournalTools
import ScenePlatform

extension Errand {
  func journal() throws(ProgramError) -> ExitCode {
    let directory = try stateDirectory()
    if invocation.verbs.last == "salvage" { return try salvage(directory.withoutTrailingSlashes) }
    try warnIfServed(directory)
    return invocation.verbs.last == "dump" ? try dump(directory) : try verify(directory)
  }

  func stateDirectory() throws(ProgramError) -> String {
    let takesArgument = invocation.verbs.first == Verb.journal.rawValue
    let argument = takesArgument ? invocation.argument("DIR") : nil
    let given = [argument, invocation.value("state")].compactMap { $0 }
    guard given.count < 2 else {
      throw usageFailure("DIR and --state set the same directory; give one of the two")
    }
    if given.isEmpty, let state = try stateOfBroker() { return state }
    let places = try places()
    do throws(RuntimePathsError) {
      return try places.stateDirectory(given.first)
    } catch {
      throw ProgramError(.badConfiguration, error.description)
    }
  }

  /// Where the broker at the socket keeps its state, as the lock beside it says; of a socket that
  /// was named, also when that broker has ended.
  private func stateOfBroker() throws(ProgramError) -> String? {
    let isNamed = try places().namesSocket(invocation.value("socket"))
    // Without a place for sockets there may be one for states.
    guard let path = try? socketPath(),
      let holder = LockHolder(recordedIn: LockHolder.file(besideSocket: path)),
      isNamed || holder.isAlive, let state = holder.state
    else { return nil }
    guard !state.isEmpty else {
      throw ProgramError(
        .failure, "the broker at \(path) keeps no journal: it runs with --durability none")
    }
    return state
  }

  /// How the broker that has the lock of a state directory is ended.
  func adviceOnEnding(_ directory: String) -> String {
    guard let holder = LockHolder(readFrom: StateLock.file(of: directory)) else {
      return advice().line("shutdown")
    }
    if !File.exists(holder.socket) || holder.isStopped { return holder.endCommand }
    let isMeant = holder.socket == (try? socketPath()).map(Directory.absolute)
    let other = Advice(options: " -S \(holder.socket.shellWord)")
    return (isMeant ? advice() : other).line("shutdown")
  }

  /// A broker writes while we read, so what we find may be half of something.
  private func warnIfServed(_ directory: String) throws(ProgramError) {
    // Only a look: the lock is let go at once.
    guard case .taken = try StateLock(of: directory) else { return }
    console.complain(
      PlainText.escapedLines(
        "scenectl: a broker uses \(directory): the files can change during the read, so the "
          + "result can be wrong\nFor a reliable result, end the broker first: "
          + adviceOnEnding(directory)))
  }

  private func verify(_ directory: String) throws(ProgramError) -> ExitCode {
    let progress = console.beginProgress(erasedBySignals: true)
    defer { progress?.end() }
    let verification = try JournalVerification(of: directory, showing: progress)
    if printsJSON {
      console.print(verification.json)
    } else {
      console.print(PlainText.escapedLines(verification.lines.joined(separator: "\n")))
    }
    return .success
  }

  private func dump(_ directory: String) throws(ProgramError) -> ExitCode {
    let tail = try JournalDump.run(directory) { [console] in console.print($0) }
    if let tail { console.complain("scenectl: \(tail)") }
    return .success
  }

  // MARK: - salvage

  private func salvage(_ directory: String) throws(ProgramError) -> ExitCode {
    // Held to the end, so that no broker starts meanwhile.
    let lock = try StateLock(of: directory)
    if case .taken = lock {
      throw ProgramError(
        .tryAgain,
        "a broker uses \(directory)\nEnd the broker first: " + adviceOnEnding(directory))
    }
    let target = try salvageTarget(outside: directory)
    let progress = console.beginProgress(erasedBySignals: true)
    defer { progress?.end() }
    let recovery = try JournalRecovery(of: directory, showing: progress)
    if recovery.isWorthwhile { try recovery.write(into: target, showing: progress) }
    if printsJSON {
      console.print(recovery.json(into: target))
    } else if recovery.isWorthwhile {
      console.print(recovery.lines(into: target).joined(separator: "\n"))
      sayWhatNext(directory, target, isDamaged: recovery.isDamaged)
    } else {
      let lines = ["cannot salvage any record of \(directory)"] + recovery.lossLines
      throw ProgramError(.badData, lines.joined(separator: "\n"))
    }
    return recovery.isWorthwhile ? .success : .badData
  }

  private func sayWhatNext(_ directory: String, _ target: String, isDamaged: Bool) {
    guard isDamaged else {
      return console.print("The state needs no salvage; the broker can start with it as it is")
    }
    let (old, new) = (directory.shellPath, target.shellPath)
    var advice = advice()
    if advice.options.isEmpty { advice.options = placeOfBroker(directory) }
    if File.exists("\(directory)/data") {
      let files = "\(directory)/data".shellPath
      console.print("First move the files of the sessions: mv \(files) \(new)/")
    }
    console.print(
      "Start a broker with the salvaged state: " + advice.line("--state \(new)", of: "scened"))
    console.print(
      "Or replace the damaged state: mv \(old) \("\(directory)-damaged".shellPath) && "
        + "mv \(new) \(old)")
  }

  /// What leads to the socket that the broker of a state directory had, if it is not the one that
  /// would be taken anyway.
  private func placeOfBroker(_ directory: String) -> String {
    guard let holder = LockHolder(recordedIn: StateLock.file(of: directory)),
      holder.socket != (try? socketPath()).map(Directory.absolute),
      let parent = Directory.parent(of: holder.socket), File.exists(parent)
    else { return "" }
    return RuntimePaths.options(application: nil, socket: holder.socket)
  }

  /// The directory of `--into`: not there yet or empty, and not in the one that is read.
  private func salvageTarget(outside directory: String) throws(ProgramError) -> String {
    guard let target = invocation.value("into")?.withoutTrailingSlashes else {
      throw usageFailure("--into is missing; name a directory for the salvaged state")
    }
    let parent = Directory.parent(of: target) ?? "."
    let isInside: Bool
    let isEmpty: Bool
    do throws(SystemError) {
      let outer = try identity(of: parent)
      isInside = outer == nil ? false : try identity(of: directory) == outer
      isEmpty = File.exists(target) ? try Directory.list(target).isEmpty : true
    } catch {
      throw ProgramError(error)
    }
    if isInside { throw usageFailure("\(target) is inside \(directory); name a directory outside") }
    if !isEmpty { throw usageFailure("\(target) is not empty; name a new directory") }
    return target
  }

  /// Nil for a path where nothing is.
  private func identity(of path: String) throws(SystemError) -> FileIdentity? {
    File.exists(path) ? try FileStatus(of: path).identity : nil
  }

  // MARK: - discard --offline

  /// Discards sessions while no broker runs; nil for all sessions.
  func discardOffline(_ words: [String]?) throws(ProgramError) -> ExitCode {
    let directory = try stateDirectory()
    // Hold the locks to the end, so that no broker starts meanwhile.
    let lock = try StateLock(of: directory)
    switch lock {
    case .taken: throw served(directory)
    case .ours(_, file: nil): throw ProgramError(.failure, "there is no journal in \(directory)")
    case .ours: break
    }
    try OfflineDiscard.run(words, in: directory)
    return .success
  }

  private func served(_ directory: String) -> ProgramError {
    let holder = LockHolder(readFrom: StateLock.file(of: directory))
    let who = holder.map { "scened (process \($0.pid))" } ?? "a broker"
    return ProgramError(
      .tryAgain,
      "\(who) uses \(directory)\nDiscard the session without --offline, or end the broker first: "
        + adviceOnEnding(directory))
  }
}
