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

/// Reports how much of a journal has been read.
final class ReadProgress: Sendable {
  private struct State: Sendable {
    /// The end of the last read of each file.
    var ends: [String: Int] = [:]
    var byteCount = 0
  }

  private let state = Mutex(State())
  private let totalByteCount: Int
  private let report: @Sendable (JournalProgress) -> Void

  init(of storage: any Storage, report: @escaping @Sendable (JournalProgress) -> Void) {
    totalByteCount = storage.journalByteCount
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
