import SceneCommandLine
import SceneControl
import SceneJSON
import SceneJournalTools
import SceneModel
import ScenePlatform

extension Verb {
  static let journal = Verb(
    "journal", "Read and repair stored state without a broker.", run: CommandContext.journal,
    details: """
      Without DIR the verbs use the state directory of the broker at the socket, even if that \
      broker has ended. Without a socket they use the default directory of the application. \
      `verify` and `dump` only read.
      """,
    options: [.value("state", "DIR", "the state directory of scened", .directory)],
    verbs: [
      Command(
        "verify", "Check all stored files.",
        details: """
          Prints the length and content of each file, the number of sessions, and the last batch \
          (one write) that a later batch confirms. Damage after that batch looks the same as a write that a \
          power failure cut short. The verb shows such damage, but does not count it as an \
          error. With --json the verb prints one object.
          """,
        arguments: [.optional("DIR", "the state directory", .directory)],
        examples: ["scenectl journal verify": "Prints the stored files, or the damage."],
        exits: [
          .success: "everything that a start reads is intact",
          .failure: "the broker runs with --durability none",
          .noSession: "there is no journal",
          .badData: "the journal is damaged or was written by another version",
        ]),
      Command(
        "dump", "Print every record as a JSON object.",
        details: """
          Each object has the members file, offset, sequence, kind and body. If the journal is \
          damaged, the verb prints the records before the damage and then its place.
          """,
        arguments: [.optional("DIR", "the state directory", .directory)],
        examples: ["scenectl journal dump": "Prints the records in the order of a start."],
        exits: [
          .failure: "the broker runs with --durability none", .noSession: "there is no journal",
          .badData: "the journal is damaged or was written by another version",
        ]),
      Command(
        "salvage", "Copy the intact records of a damaged journal.",
        details: """
          Keeps every record whose checksum matches. If the record of a session is lost, its \
          activities go to a new session called recovered-…. If the record of a discard is \
          lost, the discarded session returns. The verb prints what it kept and what it lost; with --json as one object.
          """,
        arguments: [.optional("DIR", "the state directory", .directory)],
        options: [.value("into", "NEWDIR", "the directory to create", .directory)],
        examples: [
          "scenectl journal salvage --into ~/salvaged": "Next, run: scened --state ~/salvaged"
        ],
        exits: [
          .success: "some records were saved", .failure: "the broker runs with --durability none",
          .noSession: "there is no journal",
          .badData: "no record could be saved", .tryAgain: "a broker uses the state directory",
        ]),
    ])
}

extension CommandContext {
  fileprivate func journal() throws -> ExitCode {
    let directory = try stateDirectory()
    if invocation.verbs.last == "salvage" { return try salvage(directory.withoutTrailingSlashes) }
    try warnIfInUse(directory)
    return invocation.verbs.last == "dump" ? try dump(directory) : try verify(directory)
  }

  func stateDirectory() throws -> String {
    // Other verbs have no argument DIR, and some have no option.
    let argument = verb.name == Verb.journal.name ? invocation.argument("DIR") : nil
    let option = invocation.knows("state") ? invocation.value("state") : nil
    let given = [argument, option].compactMap { $0 }
    guard given.count < 2 else {
      throw invocation.usageError("DIR and --state set the same directory; give one of the two")
    }
    if given.isEmpty, let state = try stateOfBroker() { return state }
    let paths = try runtimePaths()
    return try paths.stateDirectory(given.first)
  }

  /// The state directory in the lock file beside the socket. A named socket counts even if its
  /// broker has ended.
  private func stateOfBroker() throws -> String? {
    let isNamed = try runtimePaths().namesSocket(invocation.value("socket"))
    // A state directory can exist even if no socket path is configured.
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

  /// The command that ends the broker of a state directory.
  private func shutdownCommand(_ directory: String) -> String {
    guard let holder = LockHolder(readFrom: OfflineStateLock.file(of: directory)) else {
      return suggestions().line("shutdown")
    }
    if !File.exists(holder.socket) || holder.isStopped { return holder.endCommand }
    let isMeant = holder.socket == (try? socketPath()).map(Directory.absolute)
    let other = Suggestion(options: " -S \(holder.socket.shellWord)")
    return (isMeant ? suggestions() : other).line("shutdown")
  }

  /// Warns if a broker uses the directory: a broker can write during the read.
  private func warnIfInUse(_ directory: String) throws {
    // Release the locks at once.
    guard case .taken = try OfflineStateLock(of: directory) else { return }
    console.printError(
      PlainText.escapedLines(
        "scenectl: a broker uses \(directory): the files can change during the read, so the "
          + "result can be wrong\nFor a reliable result, end the broker first: "
          + shutdownCommand(directory)))
  }

  private func verify(_ directory: String) throws -> ExitCode {
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

  private func dump(_ directory: String) throws -> ExitCode {
    let tail = try JournalDump.run(directory) { [console] in console.print($0) }
    if let tail { console.printError("scenectl: \(tail)") }
    return .success
  }

  private func salvage(_ directory: String) throws -> ExitCode {
    // Hold the locks to the end, so that no broker starts meanwhile.
    let lock = try OfflineStateLock(of: directory)
    if case .taken = lock {
      throw ProgramError(
        .tryAgain,
        "a broker uses \(directory)\nEnd the broker first: " + shutdownCommand(directory))
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
      printNextSteps(directory, target, isDamaged: recovery.isDamaged)
    } else {
      let lines = ["cannot salvage any record of \(directory)"] + recovery.lossLines
      throw ProgramError(.badData, lines.joined(separator: "\n"))
    }
    return recovery.isWorthwhile ? .success : .badData
  }

  private func printNextSteps(_ directory: String, _ target: String, isDamaged: Bool) {
    guard isDamaged else {
      return console.print("The state needs no salvage; the broker can start with it as it is")
    }
    let (old, new) = (directory.shellPath, target.shellPath)
    var suggestions = suggestions()
    if suggestions.options.isEmpty { suggestions.options = optionsOfLastBroker(directory) }
    if File.exists("\(directory)/data") {
      let files = "\(directory)/data".shellPath
      console.print("First move the files of the sessions: mv \(files) \(new)/")
    }
    console.print(
      "Start a broker with the salvaged state: " + suggestions.line("--state \(new)", of: "scened"))
    console.print(
      "Or replace the damaged state: mv \(old) \("\(directory)-damaged".shellPath) && "
        + "mv \(new) \(old)")
  }

  /// The options for the socket of the last broker of a state directory, if it is not the default
  /// socket.
  private func optionsOfLastBroker(_ directory: String) -> String {
    guard let holder = LockHolder(recordedIn: OfflineStateLock.file(of: directory)),
      holder.socket != (try? socketPath()).map(Directory.absolute),
      let parent = Directory.parent(of: holder.socket), File.exists(parent)
    else { return "" }
    return RuntimePaths.options(application: nil, socket: holder.socket)
  }

  /// The directory of `--into`, which must be new or empty, and outside the state directory.
  private func salvageTarget(outside directory: String) throws -> String {
    guard let target = invocation.value("into")?.withoutTrailingSlashes else {
      throw invocation.usageError("--into is missing; name a directory for the salvaged state")
    }
    let parent = Directory.parent(of: target) ?? "."
    let outer = try identity(of: parent)
    let isInside = outer == nil ? false : try identity(of: directory) == outer
    let isEmpty = File.exists(target) ? try Directory.list(target).isEmpty : true
    if isInside {
      throw invocation.usageError("\(target) is inside \(directory); name a directory outside")
    }
    if !isEmpty { throw invocation.usageError("\(target) is not empty; name a new directory") }
    return target
  }

  /// Nil for a path that does not exist.
  private func identity(of path: String) throws(SystemError) -> FileIdentity? {
    File.exists(path) ? try FileStatus(of: path).identity : nil
  }

  /// Changes the state while no broker runs. The body gets the directory and the time.
  func withOfflineState<Result>(
    _ body: (String, Int64) throws(ProgramError) -> Result
  ) throws -> Result {
    let directory = try stateDirectory()
    // Hold the locks to the end, so that no broker starts meanwhile.
    let lock = try OfflineStateLock(of: directory)
    switch lock {
    case .taken: throw inUseError(directory)
    case .ours(_, file: nil): throw ProgramError(noJournalIn: directory)
    case .ours: break
    }
    return try body(directory, SystemClock.wall() / 1_000_000)
  }

  private func inUseError(_ directory: String) -> ProgramError {
    let holder = LockHolder(readFrom: OfflineStateLock.file(of: directory))
    let who = holder.map { "scened (process \($0.pid))" } ?? "a broker"
    return ProgramError(
      .tryAgain,
      "\(who) uses \(directory)\nUse the verb without --offline, or end the broker first: "
        + shutdownCommand(directory))
  }
}
