package import SceneCommandLine
package import SceneJSON
import SceneJournal
import SceneModel
package import ScenePlatform

/// The intact records of a journal, and a report about the others.
package struct JournalRecovery {
  private let directory: String
  private var content = RecoveredState()
  private var report = SalvageReport()
  /// Whether a broker refuses to start with this journal.
  package private(set) var isDamaged = false

  /// Reads an intact journal as a broker reads it. Reads each intact record of a damaged one.
  package init(of directory: String, showing progress: ProgressLine?) throws(ProgramError) {
    self.directory = directory
    let storage = DirectoryStorage(directory)
    var options = JournalOptions()
    options.onRead = progress?.showing("reading journal")
    do throws(JournalError) {
      do throws(JournalError) {
        let read = try Journal.read(storage, visitor: &content, options: options)
        isDamaged = content.hasSubstitutes
        report.files = read.files
        report.recordCount = read.recordCount
        report.tail = read.tail
      } catch {
        switch error {
        case .storage(let cause) where cause.reason == .notAFile: isDamaged = true
        case .storage, .noRoom, .gone: throw error
        case .damaged, .foreign, .newerFormat: isDamaged = true
        }
        content = RecoveredState()
        options.onRead = progress?.showing("salvaging journal")
        report = try Journal.salvage(storage, visitor: &content, options: options)
      }
    } catch {
      throw ProgramError(error, in: directory)
    }
    guard !report.files.isEmpty || isDamaged else {
      throw ProgramError(noJournalIn: directory)
    }
  }

  /// Whether there is content for a new journal.
  package var isWorthwhile: Bool {
    !isDamaged || !content.state.sessions.isEmpty || !content.state.topics.isEmpty
  }
}

// MARK: - Writing

extension JournalRecovery {
  /// Makes a directory with a journal of the recovered state.
  package func write(
    into target: String, showing progress: ProgressLine?
  ) throws(ProgramError) {
    let state = content.state
    do {
      let directory = OpenDirectory(try PrivateDirectory.make(target, .last), path: target)
      let lock = try directory.open(JournalMark.file, [.read, .write, .create, .noFollow])
      guard try directory.tryLock(), try lock.tryLock() else {
        throw ProgramError(.tryAgain, "a broker uses \(target)")
      }
      var rest = StoredState.Cursor(state)
      let options = JournalOptions()
      let storage = DirectoryStorage(directory)
      var written = JournalProgress(byteCount: 0, totalByteCount: state.byteCount)
      try Journal.make(in: storage, options: options) { records in
        while records.byteCount < options.checkpointBatchByteCount, !rest.isAtEnd {
          rest.takeNext(of: state) { records.append($0) }
        }
        written.byteCount += records.byteCount
        progress?.show("writing \(target): \(written)")
        return !rest.isAtEnd
      }
      try Directory.synchronizeNames(leadingTo: target)
    } catch let error as ProgramError {
      throw error
    } catch let error as SystemError {
      throw ProgramError(error)
    } catch let error as PrivateDirectoryError where error.reason == .missing {
      throw ProgramError(.noSession, error.description)
    } catch {
      throw ProgramError(.inputOutput, "\(target): \(error)")
    }
  }
}

// MARK: - Text

extension JournalRecovery {
  /// The report on a recovery into this directory.
  package func lines(into target: String) -> [String] {
    var counts = [
      counted(content.state.sessions.count, "session", "sessions"),
      counted(content.activityCount, "activity", "activities"),
    ]
    if content.eventCount > 0 { counts.append(counted(content.eventCount, "event", "events")) }
    let kept = "\(counts.joined(separator: " and ")) from \(directory) into \(target)"
    if !isDamaged {
      return ["Found no damage; copied \(kept)"] + tailLines
    }
    return ["Saved \(kept)"] + lossLines + tailLines
      + lines("These sessions are known to be lost", content.lostSessions)
      + lines(
        "These sessions lost their properties; their activities are in sessions called recovered-…",
        content.recoveredSessions)
      + lines("These sessions lost their newest activity", content.outdatedSessions)
      + lines("These sessions lost their name to a newer session", content.unnamedSessions)
      + lines("These sessions were discarded and exist again", content.returnedSessions)
      + (content.outdatedTopics.isEmpty
        ? [] : ["These topics lost events; the broker reports a gap to their observers:"])
      + content.outdatedTopics.map { "  \(PlainText.escaped($0))" }
  }

  /// The lost parts of the files.
  package var lossLines: [String] {
    var lines = report.losses.map { "  " + $0.line }
    if report.droppedCount > 0 {
      let records = counted(report.droppedCount, "record", "records")
      lines.append("  \(records) dropped: this version cannot read them")
    }
    if lines.isEmpty { return ["Nothing was lost"] }
    let isHarmless = report.droppedCount == 0 && report.losses.allSatisfy { $0.recordCount == 0 }
    return [isHarmless ? "Damaged, but no record was lost:" : "Lost:"] + lines
  }

  private var tailLines: [String] { report.tail.map { ["  \($0)"] } ?? [] }

  private func lines(_ heading: String, _ sessions: [RecoveredSession]) -> [String] {
    sessions.isEmpty ? [] : ["\(heading):"] + sessions.map { "  \($0.label)" }
  }
}

extension SalvageReport.Loss {
  /// For example "log-1:4096-8192: what was written there does not match its checksum (3 records)".
  fileprivate var line: String {
    var line = bytes.isEmpty ? file : "\(file):\(bytes.lowerBound)-\(bytes.upperBound)"
    line += ": \(reason)"
    if let recordCount {
      if recordCount > 0 { line += " (\(counted(recordCount, "record", "records")))" }
    } else {
      line += " (unknown number of records)"
    }
    return line
  }
}

// MARK: - JSON

extension JournalRecovery {
  package func json(into target: String) -> RawJSON {
    RawJSON { writer in
      writer.member("from", directory)
      writer.member("into", orNull: isWorthwhile ? target : nil)
      writer.member("damaged", isDamaged)
      writer.member("sessions", content.state.sessions.count)
      writer.member("activities", content.activityCount)
      writer.member("events", content.eventCount)
      writer.member("records", report.recordCount)
      writer.member("droppedRecords", report.droppedCount)
      writer.array("losses", report.losses) { $1.write(to: &$0) }
      writer.array("lostSessions", content.lostSessions) { $1.write(to: &$0) }
      writer.array("recoveredSessions", content.recoveredSessions) { $1.write(to: &$0) }
      writer.array("outdatedSessions", content.outdatedSessions) { $1.write(to: &$0) }
      writer.array("unnamedSessions", content.unnamedSessions) { $1.write(to: &$0) }
      writer.array("returnedSessions", content.returnedSessions) { $1.write(to: &$0) }
      writer.member("outdatedTopics", content.outdatedTopics)
    }
  }
}

extension RecoveredSession {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("session", identifier)
      writer.member("name", ifPresent: name)
    }
  }
}

extension SalvageReport.Loss {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("file", file)
      writer.member("from", bytes.lowerBound)
      writer.member("to", bytes.upperBound)
      writer.member("reason", reason)
      writer.member("records", orNull: recordCount)
    }
  }
}
