import SceneJSON
import SceneModel
import Testing

@Suite("Session details")
struct SessionDetailsTests {
  private func text(of details: SessionDetails) -> String {
    var writer = JSONWriter()
    details.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test(
    "the details of a stored session equal those that its parts describe",
    arguments: [true, false], [true, false])
  func fromWhereItLies(hasAll: Bool, hasScene: Bool) {
    let stored =
      hasAll
      ? StoredSession(
        attributes: Samples.attributes,
        generations: [
          Generation(session: Samples.session, number: 5, activity: Samples.note, saved: 1),
          Generation(session: Samples.session, number: 8, activity: nil, saved: 1),
        ], hold: Samples.hold)
      : StoredSession(
        attributes: SessionAttributes(
          identifier: Samples.session, configuration: SceneConfiguration(name: "")))
    let scene = SceneStatus(
      state: .background, target: .foregroundActive, client: hasAll ? Samples.summary.client : nil)
    let details = SessionDetails(stored, scene: hasScene ? scene : nil)
    let parts = SessionDetails(
      sceneSession: details.sceneSession, summary: details.summary, snapshot: details.snapshot)
    #expect(text(of: details) == text(of: parts))
    #expect(details == parts)
  }

  @Test("the title of a session without a title is the command of its program")
  func commandAsTitle() {
    var attributes = Samples.attributes
    let titles = ["Packing", nil].map { title in
      attributes.title = title
      let details = SessionDetails(StoredSession(attributes: attributes), scene: nil)
      #expect(details.sceneSession.title == details.summary.title)
      #expect(text(of: details).split(separator: "\"title\":").count == 3)
      return details.summary.title
    }
    #expect(titles == ["Packing", "vim a b \"\u{1}"])
  }

  @Test("a message with a stored session can be written again", arguments: [true, false])
  func writtenAgain(hasScene: Bool) {
    let stored = StoredSession(
      attributes: Samples.attributes,
      generations: [
        Generation(session: Samples.session, number: 5, activity: Samples.note, saved: 1)
      ], hold: Samples.hold)
    let scene = SceneStatus(state: .background, target: .background, client: nil)
    let details = SessionDetails(stored, scene: hasScene ? scene : nil)
    let reply = SessionResolve.Reply(details: details)
    var texts: Set<String> = []
    for _ in 0..<3 {
      var writer = JSONWriter()
      reply.write(to: &writer)
      texts.insert(String(decoding: writer.bytes, as: UTF8.self))
    }
    #expect(texts == [#"{"details":\#(text(of: details))}"#])
  }
}
