import SceneModel
import Testing

@testable import SceneBroker

struct SessionStoreTests {
  private static let packing = SessionIdentifier(high: 0, low: 1)
  private static let list = SessionIdentifier(high: 0, low: 2)

  private var store = SessionStore(recovered: StoredState(), Limits())

  private func attributes(
    _ session: SessionIdentifier, name: String? = nil, title: String? = nil
  ) -> Record {
    .session(
      SessionAttributes(
        identifier: session, name: name, configuration: SceneConfiguration(), title: title,
        maker: "notes"))
  }

  private mutating func use(_ session: SessionIdentifier, holder: ClientProcess? = nil) {
    var hold = Hold(session: session)
    hold.holder = holder
    store.commit(.held(store.used(hold, at: 7)))
  }

  private mutating func finishDiscard(_ session: SessionIdentifier) -> Bool {
    store.finishDiscard(session)
  }

  private mutating func listing(after session: SessionIdentifier?) -> [SessionIdentifier] {
    Array(store.listing(after: session))
  }

  @Test("a message about a session waits for the session's newest record, until the disk has it")
  mutating func barrier() {
    let numbers = [
      store.commit(attributes(Self.packing)), store.commit(attributes(Self.list)),
      store.commit(attributes(Self.packing, title: "t")),
    ]
    #expect(numbers == [1, 2, 3])
    #expect(store.barrier(Self.packing) == 3 && store.barrier(Self.list) == 2)
    #expect(store.barrier(nil) == 0 && store.recordCount == 3)
    store.synced(upTo: 2)
    #expect(store.barrier(Self.packing) == 3 && store.barrier(Self.list) == 0)
    #expect((1...4).filter { store.isUnsynced($0) } == [3])
    store.synced(upTo: 3)
    #expect(store.barrier(Self.packing) == 0 && store.unsyncedByteCount == 0)
    #expect(store.recordCount == 3 && store.flaws.isEmpty)
  }

  @Test("a message about a topic waits for the newer record of its topic and its session")
  mutating func topicBarrier() {
    store.commit(attributes(Self.packing))
    store.commit(
      .topic(TopicAttributes(name: "news", origin: "A", after: 0, keep: 1, keepBytes: 100)))
    #expect(store.barrier(nil, topic: "news") == 2)
    #expect(store.barrier(Self.packing, topic: "news") == 2)
    store.commit(attributes(Self.packing, title: "t"))
    #expect(store.barrier(Self.packing, topic: "news") == 3)
    #expect(store.barrier(Self.list, topic: "other") == 0)
  }

  @Test("a discarded session is listed under its name until its scene has ended")
  mutating func discarding() throws {
    store.commit(attributes(Self.packing, name: "packing"))
    store.keepListed(try #require(store[Self.packing]))
    store.commit(.discard(Discard(session: Self.packing)))
    #expect(store[Self.packing] == nil && !store.contains(Self.packing))
    #expect(store.listed(Self.packing) != nil && store.isListed(Self.packing))
    #expect(store.isDiscarding(Self.packing) && store.listed(named: "packing") == Self.packing)
    #expect(store.listedCount == 1 && store.flaws.isEmpty)
    #expect(finishDiscard(Self.packing))
    #expect(!finishDiscard(Self.packing))
    #expect(!store.isListed(Self.packing) && store.listed(named: "packing") == nil)
    #expect(store.flaws.isEmpty)
  }

  @Test("the listing is sorted, goes on after any identifier, and follows every change")
  mutating func listing() throws {
    store.commit(attributes(Self.list))
    #expect(listing(after: nil) == [Self.list])
    store.commit(attributes(Self.packing))
    #expect(listing(after: nil) == [Self.packing, Self.list])
    #expect(listing(after: Self.packing) == [Self.list])
    #expect(listing(after: Self.list).isEmpty)
    store.keepListed(try #require(store[Self.packing]))
    store.commit(.discard(Discard(session: Self.packing)))
    #expect(listing(after: nil) == [Self.packing, Self.list])
    #expect(finishDiscard(Self.packing))
    #expect(listing(after: nil) == [Self.list])
    #expect(store.flaws.isEmpty)
  }

  @Test("a use moves a session to the end of the order of use")
  mutating func order() {
    store.commit(attributes(Self.packing))
    store.commit(attributes(Self.list))
    use(Self.packing)
    use(Self.list)
    #expect(store.inOrderOfUse([Self.list, Self.packing]) == [Self.packing, Self.list])
    use(Self.packing)
    #expect(store.inOrderOfUse([Self.list, Self.packing]) == [Self.list, Self.packing])
    #expect(store.flaws.isEmpty)
  }

  @Test("held sessions come in the order of use")
  mutating func held() {
    store.commit(attributes(Self.packing))
    store.commit(attributes(Self.list))
    use(Self.list, holder: ClientProcess(pid: 2, startTime: 1))
    use(Self.packing, holder: ClientProcess(pid: 3, startTime: 1))
    let held = store.sessionsOfProcesses.held
    #expect(held.map(\.attributes.identifier) == [Self.list, Self.packing])
  }

  // MARK: - Space

  @Test("a full disk refuses records that grow, an exhausted one refuses every record")
  mutating func full() {
    #expect(store.admission(of: .growing) == nil && !store.isDiskFull)
    store.updateStorage(.full, "no space left")
    #expect(store.admission(of: .bounded) == nil && store.isDiskFull && !store.isExhausted)
    let full = store.admission(of: .growing)
    #expect(full?.reason == .storageFull)
    let reason = "no space left; the broker uses its reserved space only to move"
    #expect(full?.message.hasPrefix(reason) == true)
    store.updateStorage(.exhausted, nil)
    #expect(store.admission(of: .bounded)?.message.hasPrefix("the disk is full; ") == true)
    #expect(store.isExhausted)
  }

  @Test("a disk that is behind refuses records, and the client may retry at once")
  mutating func behind() {
    store.updateStorage(.behind, nil)
    #expect(store.admission(of: .bounded)?.reason == .tooMany)
    #expect(store.admission(of: .bounded)?.retry == .now)
    store.updateStorage(.ok, nil)
    var limits = Limits()
    limits.unsyncedBytes = 0
    store = SessionStore(recovered: StoredState(), limits)
    #expect(store.room == .ok)
    store.commit(attributes(Self.packing))
    #expect(store.room == .behind && store.admission(of: .bounded)?.reason == .tooMany)
    store.synced(upTo: 1)
    #expect(store.room == .ok && store.admission(of: .growing) == nil)
  }

  private var isUnpublished: Bool {
    mutating get { store.takeUnpublishedRoom() != nil }
  }

  @Test("each change of the room is published once, with the cause of a shortage")
  mutating func publishing() {
    #expect(!isUnpublished)
    store.updateStorage(.full, "no space left")
    let published = store.takeUnpublishedRoom()
    #expect(published?.room == .full && published?.problem == "no space left")
    #expect(!isUnpublished)
    store.updateStorage(.ok, "stale")
    let freed = store.takeUnpublishedRoom()
    #expect(freed?.room == .ok && freed?.problem == nil)
  }

  @Test("pending sessions and transient events count against the limits of stored bytes")
  mutating func space() throws {
    var limits = Limits()
    limits.storedBytes = 1000
    store = SessionStore(recovered: StoredState(), limits)
    store.commit(attributes(Self.packing))
    #expect(store.byteCount == SessionAttributes.baseByteCount + OpaqueObject.empty.byteCount)
    let rest = 1000 - store.byteCount
    try store.checkSpace(for: rest, pending: 0, transient: 0)
    try store.checkSpace(for: rest - 10, pending: 10, transient: 0)
    #expect(throws: BrokerError.self) { try store.checkSpace(for: rest, pending: 1, transient: 0) }
    try store.checkSpace(for: 0, pending: 10_000, transient: 0)
    let kept = Limits().keptBytes - store.byteCount
    try store.checkTotalSpace(for: kept - 5, transient: 5)
    #expect(throws: BrokerError.self) { try store.checkTotalSpace(for: kept - 5, transient: 6) }
  }

  // MARK: - Reports

  @Test("a report is due when the last scene of its request has ended, and once for each delegate")
  mutating func reports() throws {
    let request = SessionIdentifier(high: 1, low: 1)
    store.commit(attributes(Self.packing))
    store.commit(attributes(Self.list))
    let discards = Discard.reported(
      [Self.packing, Self.list].compactMap { store[$0] }, request: request, limits: Limits())
    store.keepListed(try #require(store[Self.list]))
    for discard in discards { store.commit(.discard(discard)) }
    #expect(store.nextReport(excluding: []) == nil)
    #expect(finishDiscard(Self.list))
    let report = try #require(store.nextReport(excluding: []))
    #expect(report.sceneSessions.count == 2 && store.hasReport(report.report))
    #expect(store.nextReport(excluding: [report.report]) == nil)
    #expect(store.reportBeyondLimit == nil)
    store.commit(.discardReported(DiscardReported(report: report.report)))
    #expect(!store.hasReport(report.report) && store.nextReport(excluding: []) == nil)
  }
}

extension SessionStore {
  @discardableResult
  fileprivate mutating func commit(_ record: Record) -> UInt64 { commit(record, byteCount: 100) }
}
