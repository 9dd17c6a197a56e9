import CommandLine
import SceneControlTestSupport
import SceneModel
import ScenePlatform
import Testing

@testable import scenectl

@Suite("Salvaging topics")
struct SalvagedTopicTests {
  private func topic(keep: Int = 5) -> Record {
    .topic(
      TopicAttributes(name: "news", origin: "A", after: 0, keep: keep, keepBytes: 1 << 20))
  }

  private func event(_ number: Int64) -> Record {
    .event(TopicEvent(topic: "news", number: number, payload: .empty, posted: number * 100))
  }

  /// What is salvaged of a journal with the second of these batches damaged, and what is said.
  private func salvage(_ batches: [Record]...) throws -> (dump: [String], said: String) {
    let directory = try StateDirectory(batches[0], batches[1], batches[2])
    try directory.flip(byte: 8192 + 24, of: "log-1")
    let target = directory.path + "-salvaged"
    defer { try? Directory.removeTree(target) }
    let outcome = try Outcome.of(["journal", "salvage", directory.path, "--into", target])
    #expect(outcome.code == .success)
    let verified = try Outcome.of(["journal", "verify", target])
    #expect(verified.output.contains("; no damage"))
    let dump = try Outcome.of(["journal", "dump", target]).output
    return (dump.split(separator: "\n").map(String.init), outcome.output)
  }

  @Test("events behind a hole move up, and positions of before do not count any more")
  func hole() throws {
    let (dump, said) = try salvage(
      [topic(), event(1)], [event(2), event(3)], [event(4), topic(keep: 4)])
    #expect(said.contains("Saved 0 sessions and 0 activities and 2 events"))
    #expect(
      said.contains(
        "These topics lost events; the broker reports a gap to their observers:\n  news\n"))
    #expect(dump.count == 3)
    #expect(dump[0].contains(#""origin":"As","after":0,"keep":4"#))
    #expect(dump[1].contains(#""number":1"#) && dump[1].contains(#""posted":100"#))
    #expect(dump[2].contains(#""number":2"#) && dump[2].contains(#""posted":400"#))
  }

  @Test("events of which only they are left have a topic made up for them")
  func lostTopic() throws {
    let (dump, said) = try salvage(
      [.topicEnd(TopicEnd(name: "other"))], [topic(), event(1)], [event(2)])
    #expect(said.contains("  news\n"))
    #expect(dump.count == 2)
    #expect(dump[0].contains(#""origin":"recovered","after":1,"keep":1000"#))
    #expect(dump[1].contains(#""number":2"#))
  }
}
