import SceneModel
import Testing

@testable import SceneScript

/// Faults with the application delegate: what it is asked, and told.
extension StandingRuleTests {
  /// What a delegate is asked and told, and what it has heard.
  struct Attendance: Sendable {
    var tale = Tale()
    var hearings: [DelegateHearing] = []
    var participation = DelegateParticipation.required

    static let process: Int64 = 9

    mutating func call(_ callback: String, session: Int? = nil) {
      tale.tell(.callback, session, Self.process) { $0.callback = callback }
    }

    mutating func answer(
      _ callback: String, _ event: TraceEvent = .acknowledged, session: Int? = nil
    ) {
      tale.tell(event, session, Self.process) { $0.callback = callback }
    }

    mutating func launch() {
      tale.join(Self.process)
      for callback in ["willFinishLaunching", "didFinishLaunching"] {
        call(callback)
        answer(callback)
      }
    }

    mutating func make(_ session: Int, by process: Int64 = 1) {
      tale.tell(.created, session) { $0.by = ClientReference(name: "scene", pid: process) }
    }

    mutating func ask(_ session: Int) {
      call("configurationForConnecting", session: session)
      hearings.append(.question(identifier(session)))
      answer("configurationForConnecting", session: session)
    }

    mutating func report(_ session: Int) {
      call("didDiscardSceneSessions")
      hearings.append(.report("r-\(session)", [identifier(session)]))
      answer("didDiscardSceneSessions")
    }

    /// Nothing is under way when this is over.
    var sentences: [String] {
      var story = StandingRuleTests.story(tale)
      for index in story.lives.indices {
        story.lives[index].declared.applicationDelegate = participation
        story.lives[index].rests = [StagedStory.Rest(after: story.lives[index].entries.count)]
      }
      story.contents.delegates = [StagedStory.Delegate(Self.process, hearings)]
      return StandingRules.breaches(in: story).map(\.sentence)
    }
  }

  private static var attendance: Attendance {
    var attendance = Attendance()
    attendance.launch()
    attendance.ask(0)
    attendance.make(0)
    return attendance
  }

  typealias DelegateFault = Planted<Attendance>

  static let delegateFaults: [DelegateFault] = [
    DelegateFault("itinerary: it was made, and the application delegate was not asked") {
      $0.make(1)
    },
    DelegateFault("itinerary: it was made, and the application delegate was not asked") {
      $0.participation = .optional
      $0.make(1)
    },
    DelegateFault(
      "itinerary: it was made before an application delegate was launched, which is required"
    ) {
      $0.tale.restart(after: 10)
      $0.make(1)
    },
    DelegateFault("packing: it was discarded, and the application delegate was not told") {
      $0.tale.tell(.discarded, 0)
    },
    DelegateFault("packing: it was discarded, and the application delegate was not told") {
      $0.tale.leave(Attendance.process)
      $0.tale.tell(.discarded, 0)
      $0.tale.restart(after: 10)
      $0.launch()
    },
  ]

  @Test("a fault with an application delegate is caught", arguments: delegateFaults)
  func caughtWithDelegate(fault: DelegateFault) {
    var attendance = Self.attendance
    #expect(attendance.sentences == [])
    fault.plant(&attendance)
    #expect(attendance.sentences == [fault.sentence])
  }

  @Test("what a broker may keep from an application delegate is no fault")
  func soundDelegate() {
    var attendance = Self.attendance
    // It asks for its own, the broker makes one, and one comes to nothing.
    attendance.make(1, by: Attendance.process)
    attendance.tale.tell(.created, 2)
    attendance.tale.tell(.discarded, 2) { $0.reason = "refused" }
    attendance.tale.tell(.discarded, 0)
    attendance.report(0)
    #expect(attendance.sentences == [])
    // One that does not answer is asked no more, and told no more.
    attendance.call("configurationForConnecting", session: 3)
    attendance.answer("configurationForConnecting", .overran, session: 3)
    attendance.make(3)
    attendance.make(4)
    attendance.tale.tell(.discarded, 3)
    #expect(attendance.sentences == [])
    // Nor is one that goes before its turn comes.
    attendance = Self.attendance
    attendance.make(1)
    attendance.tale.leave(Attendance.process)
    #expect(attendance.sentences == [])
    // Where the manifest decides, nobody is asked.
    attendance = Self.attendance
    attendance.participation = .builtIn
    attendance.make(1)
    attendance.tale.tell(.discarded, 1)
    #expect(attendance.sentences == [])
  }

  @Test("what is discarded together may be told when the last scene of it has gone")
  func laterReport() {
    var attendance = Self.attendance
    attendance.tale.join(1)
    Self.connect(&attendance.tale, 1, generation: 0)
    attendance.tale.tell(.discarded, 0)
    #expect(attendance.sentences == [])
    attendance.tale.disconnect(0, 1, "discarded")
    #expect(
      attendance.sentences
        == ["packing: it was discarded, and the application delegate was not told"])
    attendance.tale.tell(.storage) { $0.reason = "full" }
    #expect(attendance.sentences == [])
  }
}
