import Testing

/// Plays the manual's examples of the protocol with a real broker.
struct WireExampleTests {
  /// The pages, and the minimum number of examples on each page.
  private static let pages = [
    ("Protocol", 3), ("Protocol-walkthrough", 3), ("Keeping-scenes-in-sync", 1),
    ("Application-delegate", 1),
  ]

  @Test("a real broker sends every line of the examples", arguments: pages)
  func play(_ name: String, _ least: Int) throws {
    let page = try Page.manual(name)
    let conversations = try page.blocks.compactMap(WireExample.init)
    try #require(conversations.count >= least, "the examples were not found")
    var player = try ExamplePlayer()
    for (index, example) in conversations.enumerated() {
      if index > 0, !example.goesOn {
        try player.expectEnd()
        player = try ExamplePlayer()
      }
      try player.play(example)
    }
    try player.expectEnd()
  }

  @Test("the examples contain every line with an arrow and a message")
  func nothingIsPassedOver() throws {
    for (name, _) in Self.pages {
      let page = try Page.manual(name)
      let arrows = page.lines.count { $0.contains("→ {") || $0.contains("← {") }
      let steps = try page.blocks.compactMap(WireExample.init).flatMap(\.steps)
      let messages = steps.count { if case .happens = $0 { false } else { true } }
      #expect(messages == arrows, "\(page.path)")
    }
  }
}

/// The comparison itself: an example must be able to fail.
struct PatternTests {
  @Test(
    "a text does not match a pattern with another structure",
    arguments: [
      (#"{"a":1}"#, #"{"a":2}"#),
      (#"{"a":1}"#, #"{"a":1,"b":2}"#),
      (#"{"a":…}"#, #"{"a":1,"b":2}"#),
      (#"{"a":{…}}"#, #"{"a":[]}"#),
      (#"{"a":"5B1A…","b":"5B1A…"}"#, #"{"a":"x","b":"y"}"#),
      (#"{"a":"5B1A…"}"#, #"{"a":5}"#),
      (#"{"a":"…"}"#, #"{"a":5}"#),
    ])
  func different(_ pattern: String, _ text: String) {
    var names = Pattern.Names()
    #expect(Pattern(pattern).mismatch(with: text, &names) != nil)
  }
}
