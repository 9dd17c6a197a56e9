import JSON
import SceneModel
import Testing

@testable import SceneScript

/// Faults planted in a trace as a broker records it.
@Suite("What must be so in every story")
struct StandingRuleTests {
  @Test("a fault is caught, and told with what led to it", arguments: faults)
  func caught(fault: Fault) throws {
    var tale = Self.sound()
    #expect(Self.breaches(tale) == [])
    fault.plant(&tale)
    let breaches = Self.breaches(tale)
    #expect(breaches.count == 1, "\(breaches.flatMap(\.lines))")
    let breach = try #require(breaches.first)
    #expect(breach.sentence.hasPrefix(fault.sentence), "\(breach.sentence)")
    #expect(breach.rows.last?.entry == tale.entries.last)
    #expect(breach.lines.last?.hasPrefix("  0.0") == true)
  }

  @Test("what a broker may do is no fault")
  func sound() {
    var tale = Self.sound()
    // A question that is given up, a scene that is cut off, and one that resumes with what nobody
    // was told of.
    Self.walk(&tale, 1, ["willEnterForeground", "didEnterBackground"])
    tale.call(0, 1, "stateRestorationActivity")
    tale.answer(0, 1, "stateRestorationActivity", .overran)
    tale.call(0, 1, "willEnterForeground")
    tale.call(0, 1, "didDisconnect", "watchdog")
    tale.disconnect(0, 1, "watchdog")
    // One that somebody else gives up, and one that does not answer when everything ends.
    let control = ClientReference(name: "scenectl", pid: 7)
    let cuts: [(String, ClientReference?)] = [("clientRequest", control), ("shutdown", nil)]
    for (reason, asker) in cuts {
      Self.connect(&tale, 1, generation: 2)
      tale.call(0, 1, "willConnect")
      tale.call(0, 1, "didDisconnect", reason)
      tale.tell(.disconnected, 0, 1) { ($0.reason, $0.by) = (reason, asker) }
    }
    // What brings down three is withheld, and no longer once something is saved.
    Self.crash(&tale, 2...4)
    Self.withhold(&tale, 5)
    tale.disconnect(0, 5, "clientRequest")
    Self.withhold(&tale, 5)
    Self.save(&tale, 5, 3)
    tale.disconnect(0, 5, "clientRequest")
    Self.connect(&tale, 1, generation: 3)
    tale.restart(after: 10)
    tale.join(1)
    Self.connect(&tale, 1, generation: 4, reason: "resume", toward: .background)
    Self.walk(&tale, 1, ["willEnterForeground"])
    tale.leave(2)
    #expect(Self.breaches(tale, Self.listed(generation: 4)) == [])
    var other = tale
    // Programs that come to nothing, one that would not have it, and one that does.
    other.disconnect(0, 1, "connectionLost")
    for pid: Int64 in 2..<7 {
      other.tell(.launched, 0, pid)
      other.tell(.exited, 0, pid)
    }
    other.tell(.launchFailed, 0)
    other.tell(.launched, 0, 7)
    Self.connect(&other, 7, generation: 4)
    other.call(0, 7, "willConnect")
    other.answer(0, 7, "willConnect", .failed)
    other.disconnect(0, 7, "refused")
    other.tell(.launched, 0, 8)
    Self.connect(&other, 8, generation: 4)
    Self.walk(&other, 8, ["willConnect"])
    other.disconnect(0, 8, "connectionLost")
    other.tell(.exited, 0, 8)
    other.tell(.launched, 0, 9)
    #expect(Self.breaches(other, Self.listed(generation: 4)) == [])
    tale.tell(.discarded, 0)
    tale.call(0, 1, "didBecomeActive")
    #expect(Self.breaches(tale, []) == [])
  }

  @Test("the end is looked at, too")
  func ends() {
    var tale = Self.sound()
    func sentence(_ sessions: [SessionSummary], _ acknowledged: Int64? = nil) -> [String] {
      Self.breaches(tale, sessions, acknowledged: acknowledged).map(\.sentence)
    }
    #expect(sentence(Self.listed()) == [])
    #expect(sentence(Self.listed(), 2) == [])
    #expect(
      sentence(Self.listed(generation: 1))
        == ["packing: in the end it has generation 1; saved last was 2"])
    #expect(
      sentence(Self.listed(), 3)
        == ["packing: in the end it has generation 2; generation 3 was acknowledged"])
    #expect(
      sentence(Self.listed(by: ClientReference(name: "scene", pid: 1)))
        == ["packing: scene 1 has gone, and still has it"])
    #expect(
      sentence([]) == ["packing: it has gone, and nobody was told that it was discarded"])
    #expect(
      sentence([], 2) == [
        "packing: it has gone, and nobody was told that it was discarded; "
          + "generation 2 was acknowledged"
      ])
    tale.disconnect(0, 1, "discarded")
    tale.tell(.discarded, 0)
    #expect(sentence([]) == [])
    #expect(sentence(Self.listed()) == ["packing: it was discarded, and is there still"])
  }

  @Test("what comes back is compared with what was saved, whatever the broker says of it")
  func contents() {
    var tale = Self.sound()
    tale.disconnect(0, 1, "connectionLost")
    Self.connect(&tale, 2, generation: 2, reason: "recover")
    // The first that was told of never left the broker.
    tale.call(0, 2, "willConnect", hold: 2)
    tale.restart(after: 10)
    Self.connect(&tale, 2, generation: 2, reason: "recover")
    tale.call(0, 2, "willConnect", hold: 3)
    func sentences(_ saved: String, _ returned: String, kept: String? = nil) -> [String] {
      var story = Self.story(tale)
      story.sessions = Self.listed(by: nil)
      story.contents.saved = [identifier(0): [2: Self.json(saved)]]
      story.contents.handed = [
        StagedStory.Handover(identifier(0), hold: 1): StagedStory.Handed(.null),
        StagedStory.Handover(identifier(0), hold: 3): StagedStory.Handed(Self.json(returned)),
      ]
      story.contents.kept = kept.map { [identifier(0): Self.json($0)] } ?? [:]
      return StandingRules.breaches(in: story).map(\.sentence)
    }
    #expect(sentences(#"{"a": 1, "b": 2}"#, #"{"b":2,"a":1}"#, kept: #"{"b":2,"a":1}"#) == [])
    #expect(
      sentences(#"{"a": 1}"#, #"{"a": 2}"#)
        == [#"packing: it came back with {"a": 2}; saved as generation 2 was {"a": 1}"#])
    #expect(
      sentences(#"{"a": 1}"#, #"{"a": 1}"#, kept: "null")
        == [#"packing: in the end it has null; saved as generation 2 was {"a": 1}"#])
  }

  @Test("an application delegate is asked once for each session, and told of it in one report")
  func delegates() {
    var tale = Self.sound()
    tale.disconnect(0, 1, "discarded")
    tale.tell(.discarded, 0)
    func sentences(_ hearings: [DelegateHearing]..., later: [DelegateHearing] = []) -> [String] {
      var story = StagedStory([StagedStory.Life(tale.entries)])
      story.sessions = []
      story.contents.delegates = [
        // The later process may well have the smaller number.
        StagedStory.Delegate(8, hearings.flatMap(\.self)), StagedStory.Delegate(7, later),
      ]
      return StandingRules.breaches(in: story).map(\.sentence)
    }
    let (asked, told) = (
      DelegateHearing.question(identifier(0)), DelegateHearing.report("r", [identifier(0)])
    )
    #expect(sentences([asked, told], later: [told]) == [])
    #expect(
      sentences([asked], later: [asked])
        == ["packing: a delegate was asked twice what it is made from"])
    #expect(
      sentences([told], later: [.report("s", [identifier(0)])])
        == ["packing: it was reported as r and as s"])
    let other = identifier(1)
    #expect(
      sentences([.report("t", [other])])
        == ["\(other.short): it was reported as discarded, which it was not"])
    #expect(
      sentences([.report("t", [])], later: [.report("t", [identifier(0)])])
        == ["packing: report t told of it, and before of others"])
  }

  @Test("a new session comes with nothing")
  func nothing() {
    var tale = Tale()
    Self.connect(&tale, 1, generation: 0)
    tale.call(0, 1, "willConnect", hold: 1)
    #expect(
      Self.sentences(tale, handed: StagedStory.Handed(.emptyObject))
        == ["packing: it came back with {}; there is nothing for it to come back with"])
  }

  /// What is wrong where the client was handed this under the hold 1.
  private static func sentences(_ tale: Tale, handed: StagedStory.Handed) -> [String] {
    var story = story(tale)
    story.contents.saved = [identifier(0): [2: json(#"{"a": 1}"#)]]
    story.contents.handed = [StagedStory.Handover(identifier(0), hold: 1): handed]
    return StandingRules.breaches(in: story).map(\.sentence)
  }

  @Test("what begins afresh each time comes with nothing, whatever was saved")
  func afresh() {
    var tale = Tale()
    Self.connect(&tale, 1, generation: 2)
    tale.call(0, 1, "willConnect", hold: 1)
    var handed = StagedStory.Handed(.null)
    handed.beginsAfresh = true
    #expect(Self.sentences(tale, handed: handed) == [])
    handed.activity = Self.json(#"{"a": 1}"#)
    #expect(
      Self.sentences(tale, handed: handed)
        == [#"packing: it came back with {"a": 1}; there is nothing for it to come back with"#])
  }

  @Test("a client is told what is withheld from it, and nothing else is")
  func withheld() {
    var tale = Tale()
    Self.crash(&tale, 2...4)
    Self.withhold(&tale, 5)
    tale.call(0, 5, "willConnect", hold: 1)
    var handed = StagedStory.Handed(.null)
    #expect(
      Self.sentences(tale, handed: handed)
        == ["packing: its client was told that nothing is withheld; generation 2 is"])
    handed.withheld = 2
    #expect(Self.sentences(tale, handed: handed) == [])
    handed.activity = Self.json(#"{"a": 1}"#)
    #expect(
      Self.sentences(tale, handed: handed)
        == [#"packing: it came back with {"a": 1}; there is nothing for it to come back with"#])
  }

  @Test("what a broker that died may have noted of an early end is not held against the next")
  func doubtfulEnd() {
    var tale = Tale()
    Self.crash(&tale, 2...3)
    Self.connect(&tale, 4, generation: 2)
    tale.restart(after: 10)
    Self.withhold(&tale, 5)
    #expect(Self.breaches(tale) == [])
  }

  @Test("what one broker has lost is missed with the next, unless nothing of it was to be kept")
  func lostWithABroker() {
    var tale = Self.sound()
    tale.restart(after: 10)
    tale.tell(.storage)
    var story = Self.story(tale)
    story.sessions = []
    func sentences() -> [String] { StandingRules.breaches(in: story).map(\.sentence) }
    #expect(sentences() == ["packing: it has gone, and nobody was told that it was discarded"])
    // A broker that tells nothing of it does not make up for that.
    story.lives[0].entries = []
    #expect(sentences() == [])
    story.acknowledged = [identifier(0): 2]
    story.lives[1].acknowledged = story.acknowledged
    let short = identifier(0).short
    #expect(
      sentences() == [
        "\(short): it has gone, and nobody was told that it was discarded; "
          + "generation 2 was acknowledged"
      ])
    story.untoldDiscards = [identifier(0)]
    #expect(sentences() == [])
    story.untoldDiscards = []
    story.lives[1].state = "elsewhere"
    #expect(sentences() == [])
    for index in story.lives.indices { story.lives[index].state = nil }
    #expect(sentences() == [])
  }

  @Test("rows have the time of the story, whichever broker told them")
  func times() throws {
    var tale = Self.sound()
    tale.restart(after: 5000)
    tale.join(1)
    tale.call(0, 1, "didBecomeActive")
    let breach = try #require(Self.breaches(tale).first)
    let timeline = Timeline(TraceStory(tale.entries)).rows.filter { $0.entry != nil }
    #expect(breach.rows.map(\.time) == timeline.filter { $0.session != nil }.suffix(8).map(\.time))
    #expect((breach.rows.last?.time ?? 0) > 5_000_000)
  }

  @Test("what clients knew when a broker began its life is not forgotten by it")
  func acknowledged() {
    var tale = Tale()
    tale.join(1)
    Self.connect(&tale, 1, generation: 3, reason: "resume")
    let life = StagedStory.Life(tale.entries, acknowledged: [identifier(0): 4])
    #expect(
      StandingRules.breaches(in: StagedStory([life])).map(\.sentence)
        == ["packing: it came back with generation 3; generation 4 was acknowledged"])
  }
}
