import SceneCommandLine
import SceneJSON
import SceneModel
import ScenePlatform

/// The directory of a program's activity file, for one run of the program.
///
/// The directory is in the session's data directory. It stays if `scene` is killed. The next scene
/// of the session then saves an activity that the broker lacks.
final class ActivityDirectory: Sendable {
  /// The part of the file's content that needs no saving.
  struct Record: Equatable, Sendable {
    /// The session's newest generation that this process knows: 0 if there is none, nil if it is
    /// unknown.
    var generation: Int64?
    /// The activity that the file began with, or that the broker stored last.
    var activity: Activity?
    /// The process group of the program; nil until it runs.
    var group: Int32?
  }

  private let path: String
  /// Locked while the process that uses the directory runs.
  private let lock: FileDescriptor
  private let latest: ConditionMutex<Record>

  /// The program's file.
  var file: String { path + "/activity.json" }

  private static let recordName = "/record.json"

  /// Makes a directory in the first usable location, with a file that contains `activity`; nil
  /// makes no file. A location on a full disk, or without file locks, is not usable.
  static func make(
    in places: [ActivityLocation], beginningWith activity: Activity?, generation: Int64?
  ) throws(SystemError) -> ActivityDirectory {
    var error = SystemError(call: "mkdir", code: .notFound)
    for place in places {
      do throws(SystemError) {
        let path = try place.makeDirectory()
        do throws(SystemError) {
          return try ActivityDirectory(
            at: path, Record(generation: generation, activity: activity))
        } catch {
          try? Directory.removeTree(path)
          throw error
        }
      } catch let failure {
        error = failure
      }
    }
    throw error
  }

  private init(at path: String, _ record: Record) throws(SystemError) {
    self.path = path
    // The record appears after the lock, so that no process treats the directory as abandoned.
    let early = path + Self.recordName + ".new"
    lock = try File.open(early, [.read, .write, .create])
    _ = try lock.tryLock()
    latest = ConditionMutex(record)
    if let activity = record.activity {
      try File.write(activity.json.bytes + [UInt8(ascii: "\n")], to: path + "/activity.json")
    }
    writeRecord()
    try File.rename(early, to: path + Self.recordName)
  }

  /// Takes over a directory whose process has ended.
  private init?(abandonedAt path: String) {
    guard let status = try? FileStatus(of: path, followLinks: false), status.kind == .directory,
      status.owner == User.current,
      let lock = try? File.open(path + Self.recordName, [.read, .write, .noFollow]),
      (try? lock.tryLock()) == true
    else { return nil }
    let bytes = (try? lock.readToEnd(limit: ActivityFile.limit)) ?? []
    latest = ConditionMutex(Record(reading: bytes) ?? Record())
    self.lock = lock
    self.path = path
  }

  /// The directories of processes that have ended.
  static func abandoned(in places: [ActivityLocation]) -> [ActivityDirectory] {
    places.flatMap(\.directories).compactMap { ActivityDirectory(abandonedAt: $0) }
  }

  /// The broker stored this activity.
  func noteKept(_ activity: Activity?, generation: Int64?) {
    latest.withLock { record in
      record.generation = generation
      if let bytes = try? read(), (try? ActivityFile.activity(in: bytes)) == .orNull(activity) {
        record.activity = activity
      }
    }
    writeRecord()
  }

  /// The program runs in this process group.
  func noteProgram(_ group: ProcessGroup) {
    latest.withLock { $0.group = group.number }
    writeRecord()
  }

  /// The processes of the program that may still run after the end of `scene`.
  var leftover: LeftoverProgram? {
    latest.withLock { $0.group }.map { LeftoverProgram(group: ProcessGroup($0), file: file) }
  }

  private func writeRecord() {
    latest.withLock { record in
      var writer = JSONWriter()
      record.write(to: &writer)
      // Readers ignore a truncated record and compare the times.
      try? lock.truncate(to: 0)
      try? lock.write(writer.bytes.span.bytes, at: 0)
    }
  }

  func read() throws(SystemError) -> ContiguousArray<UInt8> {
    // A FIFO at this path does not block.
    let file = try File.open(file, [.read, .nonblocking])
    return try file.readToEnd(limit: ActivityFile.limit)
  }

  func remove() { try? Directory.removeTree(path) }
}

// MARK: - What the broker lacks

extension ActivityDirectory {
  enum Content: Equatable {
    /// The broker has this activity or a newer one.
    case stored
    /// The program wrote it after the newest save; nil means that it cleared its activity.
    case newer(Activity?, written: Int64)
    /// The program wrote it after the newest save, but it is no activity.
    case flawed(String)
  }

  /// Compares the file with the session's newest generation.
  func content(after generation: Generation?) -> Content {
    let written: Int64
    do throws(SystemError) {
      written = try FileStatus(of: file).modified
    } catch {
      return error.isNotFound ? .stored : .flawed("the file cannot be read: \(error.code)")
    }
    let record = latest.withLock { $0 }
    // The times decide only if another client has saved since.
    if let generation, record.generation != generation.number,
      generation.saved >= written / 1_000_000
    {
      return .stored
    }
    do {
      let said = try ActivityFile.activity(in: try read())
      let isKnown = [record.activity, generation?.activity].contains { .orNull($0) == said }
      if isKnown { return .stored }
      if case .value(let activity) = said { return .newer(activity, written: written) }
      return .newer(nil, written: written)
    } catch let error as MemberError {
      return .flawed(error.description)
    } catch {
      return .flawed("the file cannot be read: \(error)")
    }
  }

  /// Whether the broker has the file's activity, as far as this process knows.
  var isKept: Bool {
    let bytes: ContiguousArray<UInt8>
    do throws(SystemError) { bytes = try read() } catch { return error.isNotFound }
    let record = latest.withLock { $0 }
    return (try? ActivityFile.activity(in: bytes)) == .orNull(record.activity)
  }
}

extension ActivityDirectory.Record: JSONStructure {
  fileprivate init?(reading bytes: ContiguousArray<UInt8>) {
    let document = JSONDocument()
    guard (try? document.read(bytes.span)) != nil, let record = try? Self(reading: document.root)
    else { return nil }
    self = record
  }

  mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("generation", &generation)
    try visitor.optional("activity", &activity)
    var number = group.map(Int64.init)
    try visitor.optional("group", &number)
    group = number.flatMap(Int32.init(exactly:))
  }
}
