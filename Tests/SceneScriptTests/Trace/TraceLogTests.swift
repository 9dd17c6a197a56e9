import SceneModel
import SceneScript
import Testing

@Suite("Trace logs")
struct TraceLogTests {
  @Test("repeated entries count once")
  func recordedTwice() {
    var fixture = TraceFixture()
    for pid in [1, 2, 3] as [Int64] { fixture.join(pid) }
    let log = TraceLog(fixture.entries)
    #expect(TraceLog(fixture.entries + fixture.entries) == log)
    #expect(TraceLog(fixture.entries.prefix(2) + fixture.entries) == log)
    #expect(log.runs.count == 1)
  }

  @Test("numbers or times that start again begin another run")
  func runs() {
    var fixture = TraceFixture()
    fixture.wait(50)
    for pid in [1, 2] as [Int64] { fixture.join(pid) }
    fixture.restart(after: 100)
    for pid in [1, 2, 3] as [Int64] { fixture.join(pid) }
    #expect(TraceLog(fixture.entries).runs.map(\.count) == [2, 3])
    // Only the last entry of each run was recorded.
    #expect(TraceLog([fixture.entries[1], fixture.entries[4]]).runs.map(\.count) == [1, 1])
  }

  @Test("a session's name takes precedence over a prefix of an identifier")
  func sessions() {
    var fixture = TraceFixture()
    fixture.tell(.created, 0)
    fixture.tell(.created, 1) { $0.name = "aaaabbbb" }
    fixture.tell(.created, 2) { $0.name = nil }
    let log = TraceLog(fixture.entries)
    #expect(log.sessions(called: "packing") == [identifier(0)])
    #expect(log.sessions(called: "aaaabbbb") == [identifier(1)])
    #expect(log.sessions(called: "aaaabbbb-0000-0002") == [identifier(2)])
    #expect(log.sessions(called: "stranger").isEmpty)
  }

  @Test("only the connections of a scenectl without other entries are removed")
  func queries() {
    var fixture = TraceFixture()
    func named(_ name: String, _ pid: Int64) -> (inout TraceEntry) -> Void {
      { $0.client = ClientReference(name: name, pid: pid) }
    }
    for (name, pid) in [("scenectl", Int64(1)), ("scenectl", 2), ("reader", 3)] {
      fixture.tell(.joined, nil, nil, named(name, pid))
      if pid == 2 { fixture.tell(.posted, nil, nil, named(name, pid)) }
      fixture.tell(.left, nil, nil, named(name, pid))
    }
    let log = TraceLog(fixture.entries).withoutQueries
    #expect(log.runs.map { $0.map(\.number) } == [[3, 4, 5, 6, 7]])
  }

  @Test("a filtered log has the entries of the sessions and of their holders")
  func about() {
    var fixture = TraceFixture()
    for pid in [1, 2] as [Int64] { fixture.join(pid) }
    fixture.connect(0, 1)
    fixture.connect(1, 2)
    fixture.leave(1)
    fixture.leave(2)
    fixture.restart(after: 1)
    fixture.join(1)
    fixture.connect(1, 1)
    let told = TraceLog(fixture.entries).filtered(to: [identifier(0)])
    #expect(told.runs.map { $0.map(\.number) } == [[1, 3, 5]])
    #expect(told.first == fixture.entries.first)
    #expect(TraceLog(fixture.entries).filtered(to: [identifier(5)]).isEmpty)
  }
}
