import SceneModel
import Testing

/// The durable state that the records produce.
struct StoredStateTests {
  private let one = SessionIdentifier(high: 0, low: 1)
  private let two = SessionIdentifier(high: 0, low: 2)

  private func session(
    _ identifier: SessionIdentifier, _ name: String? = nil, title: String? = nil
  ) -> Record {
    .session(
      SessionAttributes(
        identifier: identifier, name: name, configuration: SceneConfiguration(name: "A"),
        title: title))
  }

  private func activity(_ session: SessionIdentifier, _ number: Int64, _ text: String?) -> Record {
    let activity = text.map {
      Activity(unchecked: Samples.raw(#"{"activityType":"\#($0)","userInfo":{}}"#))
    }
    return .activity(Generation(session: session, number: number, activity: activity, saved: 1))
  }

  private func held(_ session: SessionIdentifier, order: Int64) -> Record {
    var hold = Hold(session: session)
    hold.number = 1
    hold.order = order
    return .held(hold)
  }

  private func state(_ records: [Record]) throws -> StoredState {
    var state = StoredState()
    for record in records { try state.apply(record) }
    return state
  }

  /// One record of each kind, and more.
  private var records: [Record] {
    [
      session(one, "a"), activity(one, 1, "x"), held(one, order: 1), session(two, "b", title: "B"),
      activity(one, 2, nil), held(two, order: 2), activity(one, 3, "y"), session(one, "c"),
      activity(one, 4, "z"), session(two, "a"), held(one, order: 3), activity(two, 1, "x"),
    ]
  }

  private func expectSame(_ state: StoredState, _ other: StoredState) {
    #expect(state == other)
    #expect(state.names == other.names)
    #expect(state.byteCount == other.byteCount)
    #expect(state.lastOrder == other.lastOrder)
  }

  @Test("sessions leave the trash in the order of their times; states with different trash differ")
  func trash() throws {
    let first = [session(one), .discard(Discard(session: one, until: 9))]
    let both = first + [session(two), .discard(Discard(session: two, until: 8))]
    #expect(try state(first) != state(both))
    let trash = try state(both).trash
    #expect(trash.values.inOrderOfEnd.map(\.session.attributes.identifier) == [two, one])
  }

  @Test("each record has the whole new value, so applying it twice has no further effect")
  func twice() throws {
    var once = StoredState()
    var twice = StoredState()
    for record in records + [.discard(Discard(session: one)), .discard(Discard(session: two))] {
      try once.apply(record)
      try twice.apply(record)
      try twice.apply(record)
      expectSame(once, twice)
    }
  }

  @Test("the records of a state rebuild it, and there are as few as possible")
  func rebuilds() throws {
    let state = try state(records)
    var few: [Record] = []
    state.forEachRecord { few.append($0) }
    expectSame(try self.state(few), state)
    #expect(few.count == 2 + 2 + 4)
    var again: [Record] = []
    try self.state(few).forEachRecord { again.append($0) }
    #expect(again == few)
  }

  @Test("a copy of a session or of the state does not change later")
  func values() throws {
    var state = try state([session(one, "a"), activity(one, 1, "x"), held(one, order: 1)])
    let copy = state
    let before = try #require(state[one])
    for record in [session(one, "b"), activity(one, 2, "y"), held(one, order: 2)] {
      let seen = try #require(state[one])
      let unchanged = StoredSession(
        attributes: seen.attributes, generations: seen.generations, hold: seen.hold)
      try state.apply(record)
      #expect(seen == unchanged)
      #expect(state[one] != unchanged)
    }
    #expect(copy[one] == before)
    #expect(before.attributes.name == "a")
    #expect(before.generation == 1)
    #expect(copy != state)
  }

  @Test("the byte count follows every record")
  func byteCount() throws {
    var state = StoredState()
    for record in records + [.discard(Discard(session: one)), .discard(Discard(session: two))] {
      try state.apply(record)
      #expect(state.byteCount == state.sessions.values.reduce(0) { $0 + $1.byteCount })
    }
    #expect(state.byteCount == 0)
    #expect(state.names.isEmpty)
  }

  @Test("the state keeps three generations, and null is a generation")
  func generations() throws {
    let state = try state(records)
    #expect(state[one]?.generations.map(\.number) == [2, 3, 4])
    #expect(state[one]?.activity != nil)
    #expect(state[one]?.generation == 4)
    #expect(state[two]?.generation == 1)
    #expect(try self.state([session(one), activity(one, 1, nil)])[one]?.activity == nil)
  }

  @Test("a pinned generation stays, also in the records of the state")
  func pinned() throws {
    var hold = Hold(session: one)
    hold.pinned = 1
    var state = try state([session(one), activity(one, 1, "x"), .held(hold)])
    for number in Int64(2)...6 { try state.apply(activity(one, number, "y\(number)")) }
    #expect(state[one]?.generations.map(\.number) == [1, 5, 6])
    var few: [Record] = []
    state.forEachRecord { few.append($0) }
    expectSame(try self.state(few), state)
    try state.apply(.held(Hold(session: one)))
    try state.apply(activity(one, 7, "z"))
    #expect(state[one]?.generations.map(\.number) == [5, 6, 7])
  }

  @Test("the size of the generation that the next save drops is known in advance")
  func dropped() throws {
    var state = try state([session(one)])
    for number in Int64(1)...5 {
      let before = state.byteCount
      let dropped = state[one]?.byteCountDroppedBySaving ?? 0
      let record = activity(one, number, String(repeating: "x", count: Int(number) * 10))
      guard case .activity(let generation) = record else { continue }
      try state.apply(record)
      #expect(state.byteCount == before + (generation.activity?.byteCount ?? 0) - dropped)
    }
  }

  @Test("a name selects its session, and can move to another session")
  func names() throws {
    var state = try state([session(one, "a"), session(two)])
    #expect(state.names == ["a": one])
    try state.apply(session(one))
    try state.apply(session(two, "a"))
    #expect(state.names == ["a": two])
    try state.apply(.discard(Discard(session: two)))
    #expect(state.names.isEmpty)
  }

  @Test("two sessions with one name are an error, and so is a record of an unknown session")
  func inconsistent() throws {
    var state = try state([session(one, "a")])
    let records = [
      (session(two, "a"), "the sessions \(two) and \(one) have the same name a"),
      (activity(two, 1, "x"), "a record of kind activity for an unknown session: \(two)"),
      (held(two, order: 1), "a record of kind held for an unknown session: \(two)"),
    ]
    for (record, problem) in records {
      do throws(MemberError) {
        try state.apply(record)
        Issue.record("\(record) was applied")
      } catch {
        #expect(error.problem == problem)
      }
    }
    expectSame(state, try self.state([session(one, "a")]))
  }

  /// The records of a request that discarded both sessions, in two parts.
  private var reported: [Record] {
    let request = SessionIdentifier(high: 9, low: 9)
    let (first, second) = (
      ReportIdentifier(request: request, part: 1), ReportIdentifier(request: request, part: 2)
    )
    return [
      .delegateKnown, .discard(Discard(session: one, report: first, more: true)),
      .discard(Discard(session: two, report: second)), session(one, "b"),
      .discardReported(DiscardReported(report: first)),
    ]
  }

  @Test("a discarded session is kept with its last activity until its report is acknowledged")
  func reports() throws {
    let state = try state(records + reported.dropLast())
    #expect(state.discarded.map(\.session.attributes.identifier) == [one, two])
    #expect(state.discarded.map(\.session.generations.count) == [1, 1])
    #expect(state.discarded.map(\.session.activity?.type) == ["z", "x"])
    #expect(state.discarded.map(\.more) == [true, false])
    let kept = state.discarded.reduce(0) { $0 + $1.session.byteCount }
    #expect(state.byteCount == kept + (state[one]?.byteCount ?? 0))
    let after = try self.state(records + reported)
    #expect(after.discarded.map(\.session.attributes.identifier) == [two])
    #expect(after != state)
    #expect(after.hasHadDelegate)
  }

  @Test("the records of a state rebuild the pending reports, even if a name is used again")
  func rebuildsReports() throws {
    let before = try state(records + reported.dropLast())
    var few: [Record] = []
    before.forEachRecord { few.append($0) }
    let rebuilt = try state(few)
    #expect(rebuilt == before)
    #expect(rebuilt.names == before.names)
    #expect(rebuilt.byteCount == before.byteCount)
    #expect(rebuilt.discarded == before.discarded)
    #expect(rebuilt.hasHadDelegate)
  }

  @Test("the records of a report can be applied twice")
  func reportsTwice() throws {
    var once = try state(records)
    var twice = once
    for record in reported {
      try once.apply(record)
      try twice.apply(record)
      try twice.apply(record)
      expectSame(once, twice)
    }
  }

  @Test("sessions that do not fit one frame are reported in parts, each with its own identifier")
  func parts() throws {
    var limits = Limits()
    limits.frameBytes = 8 << 10
    let sessions = (UInt64(1)...7).map { number in
      let attributes = SessionAttributes(
        identifier: SessionIdentifier(high: 0, low: number), configuration: SceneConfiguration())
      let text = String(repeating: "x", count: number == 4 ? 20_000 : 1_500)
      let activity = Activity(
        unchecked: Samples.raw(#"{"activityType":"\#(text)","userInfo":{}}"#))
      return StoredSession(
        attributes: attributes,
        generations: [
          Generation(session: attributes.identifier, number: 1, activity: activity, saved: 1)
        ])
    }
    let request = SessionIdentifier(high: 5, low: 5)
    let discards = Discard.reported(sessions, request: request, limits: limits)
    #expect(discards.map(\.session.low) == [1, 2, 3, 4, 5, 6, 7])
    #expect(discards.compactMap { $0.report?.part } == [1, 1, 1, 2, 3, 3, 3])
    #expect(discards.map(\.more) == [true, true, true, true, false, false, false])
    #expect(discards.allSatisfy { $0.report?.request == request })
    #expect(Discard.reported([], request: request, limits: limits).isEmpty)
  }

  @Test("a discard of an unknown session has no effect")
  func discardTwice() throws {
    var state = try state([session(one)])
    try state.apply(.discard(Discard(session: two)))
    #expect(state.contains(one))
    #expect(!state.contains(two))
  }
}
