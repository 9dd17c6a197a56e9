import CommandLine

extension Command {
  static var test: Command {
    Command(
      "test", "Play scripts that test life cycles with real processes.",
      details: """
        Each FILE is a script and the files it uses. Every script is played with a broker of its \
        own, in a directory of its own, and nothing of it is left behind. FILE:LINE plays it up to \
        that line.

        What comes of it is printed in the Test Anything Protocol, a test for each section. Where \
        one fails it says which line, how things are instead, what happened last, and how to play \
        just this again. The sections behind it are left out.

        Every line ends by itself, when all is quiet again, and in 30 s at most.

        \(verbs)
        """,
      arguments: [.repeated("FILE", "a script, such as road-trip.scene", .file)],
      options: [
        .flag("accept", "make the trace blocks of the scripts say what happens"),
        .value(
          "jobs", short: "j", "N", "how many at once; as many as there are processors",
          .integer(1...1000)),
        .value(
          "repeat", "N", "play each so often, or until it fails: one that may fail shows it",
          .integer(1...1_000_000)),
        .flag(
          "keep",
          "keep the directory of each, below $TMPDIR or /tmp, and say where it is; with "
            + "--repeat, of the last that was played, or that failed"),
        .value("junit", "FILE", "write what came of it to a file as JUnit's XML, too", .file),
      ],
      exclusive: [["repeat", "accept"]],
      examples: [
        "scenectl test Tests/Scripts/*.scene": "Plays them, some at once.",
        "scenectl test road-trip.scene:12 --keep":
          "Plays it up to line 12, and keeps what can be looked at.",
        "scenectl test --repeat 1000 --jobs 4 road-trip.scene":
          "Plays it a thousand times, four at once, or until it fails.",
        "scenectl test --accept road-trip.scene": "Rewrites the expected traces; review the diff.",
      ],
      exits: [
        .yes: "everything is as it should be", .no: "something is not",
        .badData: "a script has an error; no script was played",
      ])
  }

  private static var verbs: String {
    """
    A script in ten lines:

      # A reclaimed scene comes back where it was.
      broker start
      client packing
      packing: activity com.example.note {"line": 42}
      background packing
      reclaim packing
      activate packing
      trace packing {
          willConnect isNew=false reason=activation activity.userInfo.line=42
          ...
      }
    """
  }
}
