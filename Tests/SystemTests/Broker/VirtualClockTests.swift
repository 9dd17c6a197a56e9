import SceneTesting
import Testing

/// Real processes with a clock that moves only on command.
struct VirtualClockTests {
  @Test("a scene that hangs after a long message exceeds its budget when the clock advances")
  func hungAfterLongWord() async throws {
    try await withBroker(clock: .virtual) { broker in
      let hung = try await broker.client("packing")
      let text = String(repeating: "a", count: 30_000)
      try await hung.type(#"activity com.example.note {"text": "\#(text)"}"#)
      try await hung.type("hang willResignActive")
      try await broker.scenectl("background", "--no-wait", "packing")
      try await broker.scenectl("advance", "5s")
      try await broker.expect(
        "packing unattached disconnect.callback=willResignActive")
    }
  }

  @Test("the age of an entry is by the clock of its time")
  func ages() async throws {
    try await withBroker(clock: .virtual) { broker in
      try await broker.client("packing")
      try await broker.scenectl("save", "packing", "com.example.note", "{}")
      try await broker.scenectl("advance", "3h")
      #expect(try await broker.scenectl("sessions").contains("3h "))
      #expect(try await broker.scenectl("status").contains("3h "))
      #expect(try await broker.scenectl("show", "packing").contains("3h "))
      #expect(try await broker.scenectl("why", "packing").contains("3h "))
      #expect(try await broker.scenectl("history", "packing").contains(" 3h ago "))
      let watching = try await broker.launch("scenectl", "sessions", "--watch")
      try await watching.line(containing: " 3h ")
    }
  }
}
