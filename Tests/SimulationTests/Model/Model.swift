import SceneBroker
import SceneJournal
import SceneModel

/// Compares what clients sent with what the broker recorded and sent, and complains about each
/// contradiction.
final class Model {
  let transcript: Transcript
  /// The first complaint, which ends the simulation.
  private(set) var complaint: String?
  /// Counts the steps of the simulation, so that two events have an order.
  var tick = 0
  /// The monotonic clock of the world.
  var now: Int64 = 0
  var ledger = Ledger(base: StoredState())
  var saves = Saves()
  let processes = SimulatedProcesses()
  /// Whether the broker asks a delegate before it creates a session, so that time can pass before
  /// the creation.
  let asksDelegate: Bool
  var delegates = DelegateHistory()
  /// The discarded sessions whose records an undo writes again.
  private var undone: [SessionIdentifier: StoredSession] = [:]
  /// The newest record that the journal reported as synced.
  var synced: UInt64 = 0
  /// The sessions that messages mentioned, in the order of the first mention.
  private(set) var sessionsTold: [SessionIdentifier] = []
  var topics = TopicWatch()
  /// The last entry of the trace that the present broker got from the one before it. The records
  /// that confirm these entries are no longer known.
  var lastCarriedEntry: Int64 = 0
  /// The activities that scenes got as content, and the last wire of each.
  var delivered: [String: Wire] = [:]
  /// The scenes that the broker has marked.
  var unresponsive: Set<SessionIdentifier> = []
  var crashLoops = CrashLoops()
  /// The sessions that clients without their scenes asked to disconnect.
  var disconnected: Set<SessionIdentifier> = []
  /// How often each session was discarded for good.
  private(set) var discards: [SessionIdentifier: Int] = [:]
  private var holders: [SessionIdentifier: [Int64: ClientProcess]] = [:]
  /// All sessions that ever existed.
  private var created: Set<SessionIdentifier> = []
  /// How often each event occurred. A test checks that the important events occur.
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
    var new: [SessionIdentifier] = []
    do throws(Ledger.Flaw) {
      try ledger.handOver(records, through: number) { record, state in
        let before = state.session(of: record)
        if case .session(let attributes) = record, before == nil {
          if let trashed = state.trash[attributes.identifier]?.session {
            undone[attributes.identifier] = trashed
          } else {
            new.append(attributes.identifier)
          }
        }
        if case .discard(let discard) = record, discard.until == nil {
          discards[discard.session, default: 0] += 1
        }
        if case .discard(let discard) = record, discard.until == nil,
          let trashed = state.trash[discard.session]
        {
          saw("out of the trash")
          let isReported = trashed.discard.report != nil && trashed.session.isPresent
          check(
            (discard.report != nil) == isReported,
            "the end of \(discard.session.short) has the report \(discard)")
        }
        if case .held(let hold) = record, let trashed = undone[hold.session], hold == trashed.hold {
          let restored = before.map {
            StoredSession(attributes: $0.attributes, generations: $0.generations, hold: hold)
          }
          checkUndone(hold.session, trashed, is: restored)
          undone[hold.session] = nil
        }
        var isUndone = false
        if case .activity(let generation) = record { isUndone = undone[generation.session] != nil }
        if !isUndone, let sight = crashLoops.note(record, after: before, saves) { saw(sight) }
        return Self.flaw(of: record, after: before, &saves, undone)
          ?? crashLoops.flaw(of: record, after: before)
      }
      for (identifier, session) in undone {
        checkUndone(identifier, session, is: ledger.state[identifier])
      }
      undone = [:]
    } catch {
      complain(error.problem)
    }
    for session in new where !created.insert(session).inserted { forget(session) }
  }

  /// A discarded session has arrived again from another host: its generations and holds start over.
  private func forget(_ session: SessionIdentifier) {
    saves.ignored.insert(session)
    delegates.ignored.insert(session)
  }

  /// An undone session equals the discarded one, except its name. A session of the trash that
  /// arrived from another host has a newer end, or a scene already, or the fence of its move.
  private func checkUndone(
    _ identifier: SessionIdentifier, _ trashed: StoredSession, is session: StoredSession?
  ) {
    guard let session, session.hold.holder == nil, session.hold.end?.cause != .handedOff,
      session.attributes.fence == trashed.attributes.fence
    else {
      return saw("adopted from the trash")
    }
    saw("undiscarded")
    var attributes = trashed.attributes
    attributes.name = session.attributes.name
    check(
      session
        == StoredSession(
          attributes: attributes, generations: trashed.generations, hold: trashed.hold),
      "\(identifier.short) returned from the trash as \(session), and was \(trashed)")
  }

  private static func flaw(
    of record: Record, after before: StoredSession?, _ saves: inout Saves,
    _ undone: [SessionIdentifier: StoredSession]
  ) -> String? {
    switch record {
    case .session(let attributes):
      let fence = attributes.away?.fence ?? attributes.fence ?? 0
      if attributes.away != nil, before?.hold.holder != nil {
        return "\(attributes.identifier) is away and has a holder"
      }
      return fence >= before?.fence ?? 0 ? nil : "fence \(fence) follows \(before?.fence ?? 0)"
    case .activity(let generation):
      if undone[generation.session]?.generations.contains(generation) == true { return nil }
      let next = (before?.generation ?? 0) + 1
      // Only the session of another host can arrive with a later generation.
      guard generation.number == next || before?.isPresent == false && generation.number > next
      else { return "generation \(generation.number) follows \(next - 1)" }
      return saves.record(generation, hold: before?.hold.number ?? 0)
        ? nil : "the broker recorded an activity that no client sent"
    case .held(let hold):
      return hold.number >= before?.hold.number ?? 0
        && (before?.isPresent != false || hold.holder == nil)
        ? nil : "hold \(hold.number) of \(hold.session) follows \(before?.hold.number ?? 0)"
    default: return nil
    }
  }

  // MARK: - Start of a broker

  /// Begins the records of a new broker. The state that it recovered must contain all promised
  /// records.
  func beginLife(with recovered: StoredState) {
    let count = ledger.recoveredCount(recovered)
    let promised = max(ledger.promised, Int(synced))
    if let count {
      check(
        count >= promised,
        "recovered \(count) records, \(promised) were promised: "
          + "lost \(ledger.records.dropFirst(count).prefix(promised - count))")
    } else {
      complain("no whole number of submissions leads to the recovered state")
    }
    saw(count == ledger.records.count ? "recovered everything" : "recovered what was promised")
    ledger = Ledger(base: recovered)
    lastCarriedEntry = 0
    crashLoops = CrashLoops(recovered)
    created.formUnion(recovered.sessions.keys)
    synced = 0
  }

  /// Each hold belongs to one process. After a crash the broker can give a hold again if no client
  /// got it.
  func noteHold(_ hold: Int64, of session: SessionIdentifier, by process: ClientProcess) {
    if let other = holders[session]?[hold], other != process, !saves.ignored.contains(session) {
      complain("hold \(hold) of \(session) was given to \(other.pid) and to \(process.pid)")
    }
    holders[session, default: [:]][hold] = process
  }
}
