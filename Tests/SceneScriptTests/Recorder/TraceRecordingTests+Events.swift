extension TraceRecordingTests {
  static let events: [Example] = [
    Example(
      "what was posted is posted again, by whom it was, and observers are told",
      """
      broker start
      client list
      client note
      list: observe Notes
      note: post Notes changed {"n": 1}
      post Notes {"n": 2}
      list: cease Notes
      post Notes
      """,
      says: [
        "list: observe Notes", #"note: post Notes changed {"n": 1}"#, "trace list {",
        "    posted topic=Notes kind=changed", "}", #"post Notes {"n": 2}"#, "trace list {",
        "    posted topic=Notes", "}", "list: cease Notes", "post Notes {}",
      ]),
    Example(
      "who was in the background is told on its way up, or by a refresh",
      """
      broker start
      client list
      list: observe Notes
      background list
      post Notes {"n": 1}
      refresh list
      reclaim list
      refresh --open list
      activate list
      """,
      says: [
        #"post Notes {"n": 1}"#, "refresh list", "trace list {", "    posted topic=Notes",
        "    refresh", "}", "reclaim list", "refresh --open list", "trace list {",
        "    willConnect reason=refresh activity=null", "    refresh", "}", "activate list",
      ]),
  ]

  private static let large = String(repeating: "x", count: 70_000)

  static let remarks: [Example] = [
    Example(
      "what another process saved is not typed, however large, so that the broker remarks on it",
      """
      broker start
      client packing
      save packing t {"text": "\(large)"}
      """,
      says: [#"save packing t {"text": "\#(large)"}"#])
  ]
}
