import CommandLine
import JSON
import SceneJournal
import SceneModel
import ScenePlatform

extension Errand {
  func salvage(_ directory: String) throws(Failure) -> ExitCode {
    // Held to the end, so that no broker starts meanwhile.
    let lock = try StateLock(of: directory)
    if case .taken = lock {
      throw Failure(
        .tryAgain,
        "a broker uses \(directory)\nEnd the broker first: " + adviceOnEnding(directory))
    }
    let target = try salvageTarget(outside: directory)
    let progress = console.beginProgress(erasedBySignals: true)
    defer { progress?.end() }
    let salvage = try Salvage(of: directory, showing: progress)
    if salvage.isWorthwhile {
      try write(salvage.content.state, into: target, showing: progress)
    }
    if printsJSON {
      console.print(salvage.json(into: target))
    } else if salvage.isWorthwhile {
      console.print(salvage.lines(into: target).joined(separator: "\n"))
      sayWhatNext(directory, target, isDamaged: salvage.isDamaged)
    } else {
      let lines = ["cannot salvage any record of \(directory)"] + salvage.lossLines
      throw Failure(.badData, lines.joined(separator: "\n"))
    }
    return salvage.isWorthwhile ? .success : .badData
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
    guard let holder = LockHolder(recordedIn: "\(directory)/\(JournalMark.file)"),
      holder.socket != (try? socketPath()).map(Directory.absolute),
      let parent = Directory.parent(of: holder.socket), File.exists(parent)
    else { return "" }
    return RuntimePaths.options(application: nil, socket: holder.socket)
  }

  /// The directory of `--into`: not there yet or empty, and not in the one that is read.
  private func salvageTarget(outside directory: String) throws(Failure) -> String {
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
      throw Failure(ExitCode(for: error), error.description)
    }
    if isInside { throw usageFailure("\(target) is inside \(directory); name a directory outside") }
    if !isEmpty { throw usageFailure("\(target) is not empty; name a new directory") }
    return target
  }

  /// Nil for a path where nothing is.
  private func identity(of path: String) throws(SystemError) -> FileIdentity? {
    File.exists(path) ? try FileStatus(of: path).identity : nil
  }

  private func write(
    _ state: StoredState, into target: String, showing progress: ProgressLine?
  ) throws(Failure) {
    do {
      let directory = OpenDirectory(try PrivateDirectory.make(target, .last), path: target)
      let lock = try directory.open(JournalMark.file, [.read, .write, .create, .noFollow])
      guard try directory.tryLock(), try lock.tryLock() else {
        throw Failure(.tryAgain, "a broker uses \(target)")
      }
      var rest = StoredState.Cursor(state)
      let options = JournalOptions()
      let storage = DirectoryStorage(directory, locks: [])
      var written = JournalProgress(byteCount: 0, totalByteCount: state.byteCount)
      try Journal.make(in: storage, options: options) { records in
        while records.byteCount < options.baseBatchByteCount, !rest.isAtEnd {
          rest.takeNext(of: state) { record in
            var writer = JSONWriter()
            record.writeBody(to: &writer)
            records.append(kind: record.kind.rawValue, body: writer.bytes)
          }
        }
        written.byteCount += records.byteCount
        progress?.show("writing \(target): \(written)")
        return !rest.isAtEnd
      }
      try Directory.synchronizeNames(leadingTo: target)
    } catch let error as Failure {
      throw error
    } catch let error as SystemError {
      throw Failure(ExitCode(for: error), error.description)
    } catch let error as PrivateDirectoryError where error.reason == .missing {
      throw Failure(.noSession, error.description)
    } catch {
      throw Failure(.inputOutput, "\(target): \(error)")
    }
  }
}
