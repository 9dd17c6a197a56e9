import SceneJSON
import SceneJournal
import SceneModel
import SceneTestSupport
import Testing

@testable import SceneServer

/// Records that are decoded together change the state like single records.
@Suite("Records decoded in batches")
struct DecodedSessionsTests {
  private static let sessions = (1...4).map { SessionIdentifier(high: 0, low: $0) }

  private func random(using random: inout SeededGenerator) -> Record {
    let session = Self.sessions.randomElement(using: &random) ?? .none
    switch Int.random(in: 0..<10, using: &random) {
    case 0...2:
      var configuration = SceneConfiguration()
      configuration.name = "a configuration with a long name"
      let name = Int.random(in: 0..<4, using: &random) == 0 ? "name \(session.low)" : nil
      return .session(
        SessionAttributes(
          identifier: session, name: name, configuration: configuration,
          title: "title \(Int.random(in: 0..<9, using: &random))"))
    case 3...5:
      return .activity(
        Generation(
          session: session, number: .random(in: 1...6, using: &random),
          activity: Bool.random(using: &random) ? Activity.none : nil, saved: 1))
    case 6...8:
      var hold = Hold(session: session)
      hold.number = .random(in: 0...3, using: &random)
      hold.order = .random(in: 0...9, using: &random)
      hold.pinned = Bool.random(using: &random) ? .random(in: 1...6, using: &random) : nil
      if Bool.random(using: &random) { hold.holder = ClientProcess(pid: 7, startTime: 1) }
      return .held(hold)
    default: return .discard(Discard(session: session))
    }
  }

  private func packed(_ records: [Record]) -> JournalRecords {
    var packed = JournalRecords()
    var writer = JSONWriter()
    for record in records { packed.append(record, by: &writer) }
    return packed
  }

  private func single(_ records: JournalRecords) -> (JournalledState, InvalidRecord<MemberError>?) {
    var content = JournalledState()
    var index = 0
    do throws(MemberError) {
      try records.forEach { (kind, body) throws(MemberError) in
        try content.apply(kind: kind, body: body)
        index += 1
      }
      return (content, nil)
    } catch {
      return (content, InvalidRecord(index: index, reason: error))
    }
  }

  private func together(
    _ batches: [JournalRecords]
  ) -> (JournalledState, InvalidRecord<MemberError>?) {
    var content = JournalledState()
    var start = 0
    for batch in batches {
      do throws(InvalidRecord<MemberError>) {
        try content.apply(JournalledState.decode(batch))
      } catch {
        return (content, InvalidRecord(index: start + error.index, reason: error.reason))
      }
      start += batch.count
    }
    return (content, nil)
  }

  private func expectEqual(_ records: [Record], in parts: [ArraySlice<Record>], _ place: Comment) {
    let (expected, error) = single(packed(records))
    let (found, foundError) = together(parts.map { packed(Array($0)) })
    #expect(foundError?.index == error?.index, place)
    #expect(foundError?.reason == error?.reason, place)
    #expect(found.state == expected.state, place)
    #expect(found.discarded == expected.discarded, place)
    #expect(found.state.names == expected.state.names, place)
    #expect(found.state.lastOrder == expected.state.lastOrder, place)
    #expect(found.state.byteCount == expected.state.byteCount, place)
    #expect(found.state.sessionsOfProcesses == expected.state.sessionsOfProcesses, place)
  }

  @Test("any records have the same result, and the same record is invalid")
  func anyRecords() {
    let seed = UInt64.random(in: 1...(.max))
    var generator = SeededGenerator(seed: seed)
    for round in 0..<400 {
      // All sessions exist in most rounds, so that few rounds end early.
      var records =
        round % 8 == 0
        ? []
        : Self.sessions.map { session in
          Record.session(
            SessionAttributes(identifier: session, configuration: SceneConfiguration()))
        }
      for _ in 0..<20 { records.append(random(using: &generator)) }
      let split = Int.random(in: 0...records.count, using: &generator)
      expectEqual(
        records, in: [records[..<split], records[split...]], "seed \(seed), round \(round)")
    }
  }

  @Test("the records of a checkpoint have the same result")
  func checkpoint() throws {
    var generator = SeededGenerator(seed: 1)
    var records: [Record] = []
    for session in Self.sessions {
      records.append(
        .session(SessionAttributes(identifier: session, configuration: SceneConfiguration())))
      for number in Int64(1)...3 {
        records.append(
          .activity(Generation(session: session, number: number, activity: Activity.none, saved: 1))
        )
      }
      var hold = Hold(session: session)
      hold.number = 1
      hold.order = Int64.random(in: 1...9, using: &generator)
      records.append(.held(hold))
    }
    expectEqual(records, in: [records[...]], "a checkpoint")
    expectEqual(records + records, in: [records[...], records[...]], "a checkpoint twice")
  }
}
