import SceneModel
import SceneScript
import Testing

@Suite("An entry of the trace in words")
struct SentenceTests {
  @Test(
    "an entry reads as a sentence",
    arguments: [
      (.joined, "scene 4711 joined"), (.left, "scene 4711 left (why)"),
      (.connected, "connected to scene 4711 (why)"),
      (.disconnected, "disconnected (why) in didEnterBackground"),
      (.aimed, "aimed at background (why) by scenectl 3"),
      (.callback, "→ didEnterBackground (why)"),
      (.acknowledged, "← didEnterBackground"), (.failed, "← didEnterBackground failed (why) bad"),
      (.overran, "didEnterBackground overran its time"), (.saved, "saved generation 3"),
      (.created, "created Default"), (TraceEvent(rawValue: "renamed"), "renamed (why)"),
    ] as [(TraceEvent, String)])
  func sentence(event: TraceEvent, words: String) {
    var entry = TraceEntry(event)
    entry.client = ClientReference(name: "scene", pid: 4711)
    if words.contains("didEnter") { entry.callback = "didEnterBackground" }
    if words.contains("(why)") { entry.reason = "why" }
    entry.state = .background
    entry.generation = 3
    if words.hasSuffix("by scenectl 3") { entry.by = ClientReference(name: "scenectl", pid: 3) }
    entry.detail = ["bad", "Default"].first { words.hasSuffix($0) }
    #expect(entry.sentence == words)
  }
}
