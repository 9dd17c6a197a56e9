import CommandLine
import SceneScript

extension Command {
  static var timeline: Command {
    Command(
      "timeline", "Draw what happened, with a lane for each process.",
      details: """
        A row for each thing that happened, in order. On the left each process that was there has \
        a lane, with a mark where something happened to it, and drawn heavy for as long as it is \
        waited for; the leftmost lane is the broker's. On the right stand the seconds since the \
        beginning, the session, and the words. With sessions, only what happened to them, and the \
        processes that had them.

        It draws what the broker keeps, or with --from what was recorded with \
        `scenectl trace --json`.

        The marks, and what stands for them with --ascii or where the locale is not UTF-8:

        \(marks)
        """,
      arguments: [.any("SESSION", "only about these sessions", .session)],
      options: [
        .flag("text", "as text on standard output; this is so unless --html is given"),
        .value("html", "FILE", "as a page for a browser; `-` is standard output", .file),
        .value("from", "FILE", "draw a recorded trace; `-` is standard input", .file),
        .flag("ascii", "draw with plain characters"),
      ],
      exclusive: [["text", "html"], ["ascii", "html"]],
      examples: [
        "scenectl timeline": "What happened since the broker started.",
        "scenectl timeline packing --html packing.html": "The story of one session, as a page.",
        "scenectl trace --follow --json | tee story.jsonl": "Records what happens.",
        "scenectl timeline --from story.jsonl": "Draws what was recorded.",
      ],
      exits: [
        .badData: "a line of the recorded trace is damaged",
        .noSession: "nothing was told of such a session",
      ])
  }

  /// A line for each.
  private static var marks: String {
    TimelineMark.allCases.map { "\($0.glyph)  \($0.asciiGlyph)  \($0.meaning)" }.joined(
      separator: "\n")
  }
}
