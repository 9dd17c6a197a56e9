import CommandLine

extension Command {
  static var test: Command {
    Command(
      "test", "Run scripts that test life cycles with real processes.",
      details: """
        Each FILE is a script together with the files that it uses. Each script gets a broker and \
        a directory of its own. The verb removes both at the end. FILE:LINE runs the script up to that \
        line.

        The output is in the Test Anything Protocol (TAP), with a test for each section. A failure \
        shows the line, the actual values, the last events, and the command that runs only this \
        section. The sections after it are skipped.

        A line ends when all its effects have ended, such as the callbacks of a move. The timeout \
        of each line is 30 s.

        \(verbs)
        """,
      arguments: [.repeated("FILE", "a script, such as road-trip.scene", .file)],
      options: [
        .flag("accept", "replace the trace blocks of the scripts with the actual traces"),
        .value(
          "jobs", short: "j", "N", "run N scripts at once; default: the number of processors",
          .integer(1...1000)),
        .value(
          "repeat", "N", "run each script up to N times, until it fails (default: 1)",
          .integer(1...1_000_000)),
        .flag(
          "keep",
          "keep the directory of each script and print its path; with --repeat, the directory of "
            + "the last or the failed run"),
        .value("junit", "FILE", "also write a JUnit XML report to FILE", .file),
      ],
      exclusive: [["repeat", "accept"]],
      examples: [
        "scenectl test Tests/Scripts/*.scene": "Runs the scripts, several at once.",
        "scenectl test road-trip.scene:12 --keep":
          "Runs the script up to line 12 and keeps its directory.",
        "scenectl test --repeat 1000 --jobs 4 road-trip.scene":
          "Runs the script a thousand times, four at once, until it fails.",
        "scenectl test --accept road-trip.scene": "Rewrites the expected traces; review the diff.",
      ],
      exits: [
        .success: "all tests pass", .failure: "a test fails",
        .badData: "a script has errors; none was run",
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
