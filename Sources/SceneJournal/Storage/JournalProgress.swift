import Synchronization

/// The progress of reading or writing a journal.
package struct JournalProgress: Equatable, Sendable {
  package var byteCount: Int
  package var totalByteCount: Int

  package init(byteCount: Int, totalByteCount: Int) {
    self.byteCount = byteCount
    self.totalByteCount = totalByteCount
  }
}

extension JournalProgress: CustomStringConvertible {
  /// For example "43% (1.2 of 2.8 GiB)".
  package var description: String {
    let read = min(byteCount, totalByteCount)
    let percent = totalByteCount == 0 ? 100 : read * 100 / totalByteCount
    return "\(percent)% (\(byteText(read, of: totalByteCount)))"
  }
}

/// A storage that reports the progress of reading. Writers use the underlying storage.
struct ObservedStorage: WrappingStorage {
  let storage: any Storage
  private let observation: Observation

  init(_ storage: any Storage, report: @escaping @Sendable (JournalProgress) -> Void) {
    self.storage = storage
    observation = Observation(totalByteCount: storage.journalByteCount, report: report)
  }

  func open(_ name: String, for access: StorageAccess) throws(JournalError) -> any StorageFile {
    ObservedFile(name, try storage.open(name, for: access), observation)
  }
}

extension JournalOptions {
  /// The storage from which a journal is read.
  func source(_ storage: any Storage) -> any Storage {
    onRead.map { ObservedStorage(storage, report: $0) } ?? storage
  }
}

extension Storage {
  /// The length of all files of the journal. The reader reports a file that cannot be opened.
  fileprivate var journalByteCount: Int {
    let names = (try? list()) ?? []
    return names.reduce(0) { sum, name in
      switch JournalFileName(name) {
      case .checkpoint, .log: sum + ((try? open(name, for: .reading).size()) ?? 0)
      case .temporary, nil: sum
      }
    }
  }
}

private final class Observation: Sendable {
  private struct State: Sendable {
    /// The end of the last read of each file.
    var ends: [String: Int] = [:]
    var byteCount = 0
  }

  private let state = Mutex(State())
  private let totalByteCount: Int
  private let report: @Sendable (JournalProgress) -> Void

  init(totalByteCount: Int, report: @escaping @Sendable (JournalProgress) -> Void) {
    self.totalByteCount = totalByteCount
    self.report = report
  }

  /// A repeated read counts again from the start.
  func note(_ name: String, readTo end: Int) {
    let byteCount = state.withLock { state in
      state.byteCount += end - (state.ends.updateValue(end, forKey: name) ?? 0)
      return state.byteCount
    }
    report(JournalProgress(byteCount: byteCount, totalByteCount: totalByteCount))
  }
}

private final class ObservedFile: WrappingFile {
  let file: any StorageFile
  private let name: String
  private let observation: Observation

  init(_ name: String, _ file: any StorageFile, _ observation: Observation) {
    self.name = name
    self.file = file
    self.observation = observation
  }

  func read(
    at offset: Int, count: Int, into bytes: inout ContiguousArray<UInt8>
  ) throws(JournalError) -> Int {
    let readable = try file.read(at: offset, count: count, into: &bytes)
    observation.note(name, readTo: offset + readable)
    return readable
  }
}
