import SceneModel
import SceneScript
import Testing

@Suite("The story that a trace tells")
struct TraceStoryTests {
  @Test("what was recorded twice is drawn once")
  func recordedTwice() {
    var tale = Tale()
    for pid in [1, 2, 3] as [Int64] { tale.join(pid) }
    let story = TraceStory(tale.entries)
    #expect(TraceStory(tale.entries + tale.entries) == story)
    #expect(TraceStory(tale.entries.prefix(2) + tale.entries) == story)
    #expect(story.lives.count == 1)
  }

  @Test("numbers that start again, or time that does, are another broker's")
  func lives() {
    var tale = Tale()
    tale.wait(50)
    for pid in [1, 2] as [Int64] { tale.join(pid) }
    tale.restart(after: 100)
    for pid in [1, 2, 3] as [Int64] { tale.join(pid) }
    #expect(TraceStory(tale.entries).lives.map(\.count) == [2, 3])
    // Only the end of each life was recorded.
    #expect(TraceStory([tale.entries[1], tale.entries[4]]).lives.map(\.count) == [1, 1])
  }

  @Test("a session's name counts before the beginning of another's identifier")
  func sessions() {
    var tale = Tale()
    tale.tell(.created, 0)
    tale.tell(.created, 1) { $0.name = "aaaabbbb" }
    tale.tell(.created, 2) { $0.name = nil }
    let story = TraceStory(tale.entries)
    func found(_ name: String, orMatching numbers: Int...) -> Set<SessionIdentifier> {
      story.sessions(named: name) { numbers.map(identifier).contains($0) }
    }
    #expect(found("packing") == [identifier(0)])
    #expect(found("aaaabbbb", orMatching: 0, 1, 2) == [identifier(1)])
    #expect(found("aaaa", orMatching: 1, 2) == [identifier(1), identifier(2)])
    #expect(found("nobody").isEmpty)
  }

  @Test("about one session, there is what happened to it, and those who held it")
  func about() {
    var tale = Tale()
    for pid in [1, 2] as [Int64] { tale.join(pid) }
    tale.connect(0, 1)
    tale.connect(1, 2)
    tale.leave(1)
    tale.leave(2)
    tale.restart(after: 1)
    tale.join(1)
    tale.connect(1, 1)
    let told = TraceStory(tale.entries).about([identifier(0)])
    #expect(told.lives.map { $0.map(\.number) } == [[1, 3, 5]])
    #expect(told.first == tale.entries.first)
    #expect(TraceStory(tale.entries).about([identifier(5)]).isEmpty)
  }
}
