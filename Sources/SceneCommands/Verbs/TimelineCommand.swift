import CommandLine
import SceneScript

extension Command {
  static var timeline: Command {
    Command(
      "timeline", "Draw the trace with a lane for each process.",
      details: """
        Each process has a lane, which is a column of the drawing. The leftmost lane is the \
        broker's. Each row shows one entry of the trace: a mark in the lane of its process, the \
        seconds since the first entry, the session, and a description. A lane is a heavy line \
        while the broker waits for an answer from that process.

        With SESSION, the drawing shows only these sessions and the processes that held them. With \
        --from, it shows a trace that `scenectl trace --json` has printed, and not the trace of \
        the broker.

        The marks are these. The second column is for --ascii, and for a locale without UTF-8:

        \(marks)
        """,
      arguments: [.any("SESSION", "only these sessions", .session)],
      options: [
        .flag("text", "print text on standard output; the default without --html"),
        .value("html", "FILE", "write an HTML page to FILE; `-` is standard output", .file),
        .value("from", "FILE", "draw a recorded trace; `-` is standard input", .file),
        .flag("ascii", "draw with ASCII characters"),
      ],
      exclusive: [["text", "html"], ["ascii", "html"]],
      examples: [
        "scenectl timeline": "Draws the trace since the broker started.",
        "scenectl timeline packing --html packing.html": "Writes a page about one session.",
        "scenectl trace --follow --json | tee story.jsonl": "Records a trace.",
        "scenectl timeline --from story.jsonl": "Draws the recorded trace.",
      ],
      exits: [
        .badData: "a line of the recorded trace is invalid",
        .noSession: "the trace has no such session",
      ])
  }

  /// A line for each.
  private static var marks: String {
    TimelineMark.allCases.map { "\($0.glyph)  \($0.asciiGlyph)  \($0.meaning)" }.joined(
      separator: "\n")
  }
}
