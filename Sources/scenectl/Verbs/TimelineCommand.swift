import CommandLine
import SceneScript

extension Command {
  static var timeline: Command {
    Command(
      "timeline", "Draw the trace with a lane for each process.",
      details: """
        Each row shows one entry of the trace. On the left each process has a lane; the leftmost \
        lane is the broker's. A mark shows an entry of that process. A heavy line shows that the \
        broker waits for the process. On the right are the seconds since the first entry, the \
        session and a description. With SESSION the drawing shows only these sessions and the \
        processes that held them.

        The input is the trace of the broker, or with --from the output of `scenectl trace --json`.

        The marks, and the marks of --ascii or a locale without UTF-8:

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
