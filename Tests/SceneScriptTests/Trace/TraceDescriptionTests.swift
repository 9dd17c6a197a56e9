import SceneJSON
import SceneModel
import SceneScript
import Testing

@Suite("Descriptions of trace entries")
struct TraceDescriptionTests {
  @Test(
    "an entry reads as a sentence",
    arguments: [
      (.joined, "scene 4711 joined"), (.left, "scene 4711 left (why)"),
      (.connected, "connected to scene 4711 (why)"),
      (.disconnected, "disconnected (why) in didEnterBackground"),
      (.signalled, "signalled (why) by scenectl 3"),
      (.aimed, "target set to background (why) by scenectl 3"),
      (.callback, "→ didEnterBackground (why)"),
      (.acknowledged, "← didEnterBackground"), (.failed, "← didEnterBackground failed (why): bad"),
      (.overran, "didEnterBackground exceeded its budget"), (.saved, "saved generation 3"),
      (.created, "created; Default"), (.created, "created by scenectl 3"),
      (.launched, "broker launched scene 4711"),
      (.launched, "broker launched scene 4711 (requested by scenectl 3)"),
      (.launched, "broker launched scene 4711 (requested by scenectl 3), attempt 2 of 5"),
      (.exited, "scene 4711 exited with status 1"),
      (.disconnected, "disconnected (why); its process was terminated by KILL"),
      (.launchFailed, "launch failed (requested by scenectl 3): scene was started 5 times"),
      (.released, "released by scenectl 3 to desktop"),
      (.adopted, "adopted by scenectl 3 from laptop, without its files"),
      (.reported, "reported by scenectl 3: bad"),
      (TraceEvent(rawValue: "renamed"), "renamed (why)"),
    ] as [(TraceEvent, String)])
  func sentence(event: TraceEvent, words: String) {
    var entry = TraceEntry(event)
    entry.client = ClientReference(name: "scene", pid: 4711)
    if words.contains("didEnter") { entry.callback = "didEnterBackground" }
    if words.contains("(why)") { entry.reason = "why" }
    entry.state = .background
    entry.generation = 3
    if words.contains("by scenectl 3") { entry.by = ClientReference(name: "scenectl", pid: 3) }
    entry.detail = [
      "bad", "Default", "attempt 2 of 5", "exited with status 1",
      "its process was terminated by KILL",
      "scene was started 5 times", "to desktop", "from laptop, without its files",
    ].first { words.hasSuffix($0) }
    #expect(entry.sentence == words)
  }

  @Test("F54: a connected scene shows each of its connection options")
  func options() {
    var entry = TraceEntry(.connected)
    entry.client = ClientReference(name: "scene", pid: 4711)
    let note = #"{"activityType":"com.example.note","userInfo":{"secret":1}}"#
    var options = ConnectionOptions(
      userActivities: [Activity(unchecked: RawJSON(unchecked: .init(note.utf8)))])
    options.handoffUserActivityType = "com.example.map"
    options.sourceApplication = "mail"
    entry.show(options)
    #expect(
      entry.sentence
        == "connected to scene 4711, with userActivity com.example.note, "
        + "handoffUserActivityType com.example.map, sourceApplication mail")
    options.userActivities = Array(repeating: options.userActivities[0], count: 20)
    entry.show(options)
    #expect(entry.sentence.hasSuffix("userActivity com.example.note, 6 more"))
  }

  @Test("a connection names the client, the requester and the withheld generation")
  func withheld() {
    var entry = TraceEntry(.connected)
    entry.client = ClientReference(name: "scene", pid: 4711)
    entry.by = ClientReference(name: "scenectl", pid: 3)
    (entry.reason, entry.generation, entry.withheld) = ("recover", 3, .crashLoop)
    #expect(
      entry.sentence
        == "connected to scene 4711 (recover) by scenectl 3, withholding generation 3 (crashLoop)")
  }
}
