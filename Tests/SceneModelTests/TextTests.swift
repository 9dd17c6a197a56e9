import SceneJSON
import SceneModel
import Testing

/// Texts with a maximum length.
struct TextTests {
  @Test(
    "a text is cut between characters, and ends with an ellipsis",
    arguments: [
      ("abc", 3, "abc"), ("abcd", 3, "abc…"), ("aé", 2, "a…"), ("aé", 3, "aé"), ("é", 1, "…"),
      ("😀😀", 7, "😀…"), ("", 0, ""), ("a", 0, "…"),
    ])
  func clipped(text: String, count: Int, expected: String) {
    #expect(text.clipped(to: count) == expected)
  }

  @Test("the JSON form has the calculated number of bytes")
  func counted() {
    let texts = [
      "", "plain", "\"\\/", "é😀", String(repeating: "\u{1}\n\t\u{7F}", count: 50), "\u{0}",
    ]
    for sample in texts { #expect(text(sample).utf8.count == sample.jsonByteCount) }
    for sample in texts {
      var summary = Samples.summary
      (summary.name, summary.title, summary.configuration) = (sample, sample, sample)
      summary.role = Role(rawValue: sample)
      summary.client = ClientReference(name: sample, pid: .min)
      summary.client?.startTime = .max
      summary.client?.program = .min
      summary.disconnect = DisconnectOutcome(
        reason: DisconnectReason(rawValue: sample), callback: sample)
      summary.disconnect?.signal = SentSignal(sample, by: ClientReference(name: sample, pid: .min))
      (summary.lastUsed, summary.generation) = (.min, .min)
      #expect(text(summary).utf8.count == summary.jsonByteCount)
      var entry = Samples.entry
      (entry.name, entry.callback, entry.reason, entry.detail) = (sample, sample, sample, sample)
      entry.client = ClientReference(name: sample, pid: .min)
      entry.by = entry.client
      (entry.number, entry.time, entry.elapsed, entry.generation) = (.min, .min, .min, .min)
      entry.hold = .min
      entry.withheld = WithholdingReason(rawValue: sample)
      entry.options = Array(
        repeating: TracedOption(.handoff, sample), count: TraceEntry.optionCount)
      entry.moreOptions = .min
      entry.state = .foregroundInactive
      #expect(text(entry).utf8.count == entry.jsonByteCount)
    }
  }

  @Test("the message of an error is short, even if it quotes a long text")
  func errors() {
    let error = BrokerError(.invalidParams, String(repeating: "x", count: 1_000_000))
    #expect(error.message.utf8.count == BrokerError.messageBytes + 3)
  }

  @Test(
    "a list keeps the lines that fit, and counts the others",
    arguments: [(0, 0), (1, 1), (400, 400), (500, 440), (100_000, 440)])
  func list(count: Int, kept: Int) {
    let error = BrokerError(
      .requestDenied, list: Array(repeating: "12345678", count: count)
    ) { "\($0) more" }
    let lines = error.message.split(separator: "\n")
    #expect(error.message.utf8.count <= BrokerError.listBytes)
    #expect(lines.count { $0 == "12345678" } >= kept)
    let left = count - lines.count { $0 == "12345678" }
    #expect(left == 0 || lines.last == "\(left) more")
  }

  @Test("a line of a list is cut like a message")
  func longLine() {
    let error = BrokerError(
      .requestDenied, list: [String(repeating: "x", count: 10_000), "y"]
    ) { "\($0) more" }
    #expect(error.message.hasSuffix("x…\ny"))
  }
}
