import SceneBroker
import SceneJournal
import SceneModel

/// Knows what was sent, written down and told, and complains about what cannot be.
final class Model {
  let transcript: Transcript
  /// The first complaint; the world ends with it.
  private(set) var complaint: String?
  /// Counts what happens in the world, so that it can be said what was before what.
  var tick = 0
  /// The monotonic clock of the world.
  var now: Int64 = 0
  var ledger = Ledger(base: StoredState())
  var saves = Saves()
  let processes = SimulatedProcesses()
  /// Whether time may pass between a request and the session that is made for it.
  let asksDelegate: Bool
  var delegates = DelegateHistory()
  /// Up to which record the journal says that all is on disk.
  var synced: UInt64 = 0
  /// Sessions that a client was told of, in that order.
  private(set) var sessionsTold: [SessionIdentifier] = []
  var topics = TopicWatch()
  private var holders: [SessionIdentifier: [Int64: ClientProcess]] = [:]
  /// What the simulation has come across, so that it can be seen to come across everything.
  private(set) var sights: [String: Int] = [:]

  init(transcript: Transcript, asksDelegate: Bool) {
    self.transcript = transcript
    self.asksDelegate = asksDelegate
  }

  func complain(_ problem: @autoclosure () -> String) {
    guard complaint == nil else { return }
    complaint = "at tick \(tick): \(problem())"
    transcript.note("!! \(problem())")
  }

  func check(_ isTrue: Bool, _ problem: @autoclosure () -> String) {
    if !isTrue { complain(problem()) }
  }

  func saw(_ sight: String) { sights[sight, default: 0] += 1 }

  func noteTold(of session: SessionIdentifier) {
    if !sessionsTold.contains(session) { sessionsTold.append(session) }
  }

  // MARK: - Records

  func handOver(_ records: JournalRecords, through number: UInt64) {
    do throws(Ledger.Flaw) {
      try ledger.handOver(records, through: number) { record, before in
        Self.flaw(of: record, after: before, &saves)
      }
    } catch {
      complain(error.problem)
    }
  }

  private static func flaw(
    of record: Record, after before: StoredSession?, _ saves: inout Saves
  ) -> String? {
    switch record {
    case .session, .discard, .topic, .event, .topicEnd, .discardReported, .delegateKnown:
      return nil
    case .activity(let generation):
      guard generation.number == (before?.generation ?? 0) + 1 else {
        return "generation \(generation.number) follows \(before?.generation ?? 0)"
      }
      return saves.record(generation, hold: before?.hold.number ?? 0)
        ? nil : "an activity is recorded that no client sent"
    case .held(let hold):
      return hold.number >= before?.hold.number ?? 0
        ? nil : "hold \(hold.number) of \(hold.session) follows \(before?.hold.number ?? 0)"
    }
  }

  // MARK: - Lives of the broker

  /// A broker begins with what was read from the disk. All that was promised before must be in it.
  func beginLife(with recovered: StoredState) {
    let count = ledger.recoveredCount(recovered)
    let promised = max(ledger.promised, Int(synced))
    if let count {
      check(
        count >= promised,
        "recovered \(count) records, \(promised) were promised: "
          + "lost \(ledger.records.dropFirst(count).prefix(promised - count))")
    } else {
      complain("what was recovered is not what any whole number of rounds made")
    }
    saw(count == ledger.records.count ? "recovered everything" : "recovered what was promised")
    ledger = Ledger(base: recovered)
    synced = 0
  }

  /// Holds are given to one process each: after a crash, a hold that no client was told of may be given once
  /// more.
  func noteHold(_ hold: Int64, of session: SessionIdentifier, by process: ClientProcess) {
    if let other = holders[session]?[hold], other != process {
      complain("hold \(hold) of \(session) was given to \(other.pid) and to \(process.pid)")
    }
    holders[session, default: [:]][hold] = process
  }
}
