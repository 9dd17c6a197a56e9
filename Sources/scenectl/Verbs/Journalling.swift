import CommandLine
import JSON
import SceneJournal
import SceneModel
import ScenePlatform

extension Errand {
  func journal() throws(Failure) -> ExitCode {
    let directory = try stateDirectory()
    if invocation.verbs.last == "salvage" { return try salvage(directory.withoutTrailingSlashes) }
    try warnIfServed(directory)
    return invocation.verbs.last == "dump" ? try dump(directory) : try verify(directory)
  }

  func stateDirectory() throws(Failure) -> String {
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
      throw Failure(.badConfiguration, error.description)
    }
  }

  /// Where the broker at the socket keeps its state, as the lock beside it says; of a socket that
  /// was named, also when that broker has ended.
  private func stateOfBroker() throws(Failure) -> String? {
    let isNamed = try places().namesSocket(invocation.value("socket"))
    // Without a place for sockets there may be one for states.
    guard let path = try? socketPath(),
      let holder = LockHolder(recordedIn: LockHolder.file(besideSocket: path)),
      isNamed || holder.isAlive, let state = holder.state
    else { return nil }
    guard !state.isEmpty else {
      throw Failure(
        .failure, "the broker at \(path) keeps no journal: it runs with --durability none")
    }
    return state
  }

  /// How the broker that has the lock of a state directory is ended.
  func adviceOnEnding(_ directory: String) -> String {
    guard let holder = LockHolder(readFrom: "\(directory)/\(JournalMark.file)") else {
      return advice().line("shutdown")
    }
    if !File.exists(holder.socket) || holder.isStopped { return holder.endCommand }
    let isMeant = holder.socket == (try? socketPath()).map(Directory.absolute)
    let other = Advice(options: " -S \(holder.socket.shellWord)")
    return (isMeant ? advice() : other).line("shutdown")
  }

  /// A broker writes while we read, so what we find may be half of something.
  private func warnIfServed(_ directory: String) throws(Failure) {
    // Only a look: the lock is let go at once.
    guard case .taken = try StateLock(of: directory) else { return }
    console.complain(
      PlainText.escapedLines(
        "scenectl: a broker uses \(directory): the files can change during the read, so the "
          + "result can be wrong\nFor a reliable result, end the broker first: "
          + adviceOnEnding(directory)))
  }

  // MARK: - verify

  private func verify(_ directory: String) throws(Failure) -> ExitCode {
    var check = JournalCheck()
    let progress = console.beginProgress(erasedBySignals: true)
    defer { progress?.end() }
    let report = try read(directory, &check, onRead: progress?.showing("verifying journal"))
    if printsJSON {
      console.print(check.json(report, of: directory))
    } else {
      let lines = check.lines(report, of: directory).joined(separator: "\n")
      console.print(PlainText.escapedLines(lines))
    }
    return .success
  }

  // MARK: - dump

  private func dump(_ directory: String) throws(Failure) -> ExitCode {
    var printer = JournalPrinter(console: console)
    let report = try read(directory, &printer)
    if let tail = report.tail { console.complain("scenectl: \(tail)") }
    return .success
  }

  // MARK: - Reading

  private func read(
    _ directory: String, _ visitor: inout some JournalVisitor,
    onRead: (@Sendable (JournalProgress) -> Void)? = nil
  ) throws(Failure) -> JournalReport {
    var options = JournalOptions()
    options.onRead = onRead
    let report: JournalReport
    do throws(JournalError) {
      report = try Journal.read(
        DirectoryStorage(directory), visitor: &visitor, options: options)
    } catch {
      throw Failure(error, in: directory)
    }
    guard !report.files.isEmpty else {
      throw Failure(noJournalIn: directory)
    }
    return report
  }
}

/// The locks that a broker holds on its state for as long as it runs: on the directory, and on the
/// file in it, which older versions lock alone.
enum StateLock: ~Copyable {
  /// A broker has one of them.
  case taken
  /// They are ours until these are gone. There is no file where there was no broker.
  case ours(OpenDirectory?, file: FileDescriptor?)

  init(of path: String) throws(Failure) {
    do throws(SystemError) {
      let directory = OpenDirectory(try File.open(path, [.read, .directory]), path: path)
      guard try directory.tryLock() else {
        self = .taken
        return
      }
      // What is no file is for the reader of the journal to refuse.
      guard try directory.status(of: JournalMark.file).kind == .regular else {
        self = .ours(directory, file: nil)
        return
      }
      let file = try directory.open(JournalMark.file, [.read, .nonblocking])
      self = try file.tryLock() ? .ours(directory, file: file) : .taken
    } catch {
      guard error.isNotFound || error.isDenied else {
        throw Failure(ExitCode(for: error), error.description)
      }
      self = .ours(nil, file: nil)
    }
  }
}

extension Failure {
  init(noJournalIn directory: String, _ cause: StorageError? = nil) {
    let why = cause.map { ": \($0)" } ?? ""
    self.init(.noSession, "there is no journal in \(directory)\(why)")
  }

  init(_ error: JournalError, in directory: String) {
    switch error {
    case .storage(let cause) where cause.reason == .notFound:
      self.init(noJournalIn: directory, cause)
    case .storage(let cause) where cause.reason == .notAFile:
      self.init(.badData, error.message(in: directory))
    case .storage(let cause):
      let isDenied = cause.reason == .denied
      let owner = isDenied ? FileStatus.foreignOwner(near: directory) : nil
      self.init(
        isDenied ? .notAllowed : .inputOutput,
        error.explanation(in: directory) + (owner.map { "; \($0)" } ?? ""))
    case .noRoom:
      self.init(.tryAgain, error.explanation(in: directory))
    case .damaged, .gone, .foreign, .newerFormat:
      self.init(.badData, error.message(in: directory))
    case .cannotWait:
      self.init(.inputOutput, error.message(in: directory))
    }
  }
}

/// Prints each record as an object on a line of its own.
private struct JournalPrinter: JournalVisitor {
  let console: Console
  private var file = ""
  private var sequence: UInt64 = 0
  private let document = JSONDocument()

  init(console: Console) { self.console = console }

  mutating func visit(_ file: JournalFile) { self.file = file.name }
  mutating func visit(_ batch: JournalBatch) { sequence = batch.sequence }

  mutating func visit(
    kind: UInt8, body: Span<UInt8>, at offset: Int
  ) throws(JournalContentError) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("file")
    writer.string(file)
    writer.name("offset")
    writer.integer(offset)
    writer.name("sequence")
    writer.integer(sequence)
    writer.name("kind")
    // A kind that is not known has only its number.
    if let known = RecordKind(rawValue: kind) {
      writer.string(known.name)
    } else {
      writer.integer(kind)
    }
    writer.name("body")
    do throws(JSONError) {
      try document.read(body)
    } catch {
      throw JournalContentError("a record is not JSON: \(error)")
    }
    writer.raw(document.root)
    writer.endObject()
    // JSON reads its escapes as the same text, and a terminal does not obey them.
    console.print(PlainText.escaped(String(decoding: writer.bytes, as: UTF8.self)))
  }
}
