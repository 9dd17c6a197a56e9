import CommandLine

extension Command {
  static var record: Command {
    Command(
      "record", "Write a script that repeats the recent actions.",
      details: """
        The script starts, moves, kills and replaces the same scenes, and expects the same \
        callbacks. `scenectl test` runs it. The input is the trace that the broker keeps: the last \
        10,000 entries since its start.

        With --follow the verb records until Ctrl-C, across restarts of the broker, and then \
        writes the script.

        The trace does not contain everything. The script lacks titles, refused requests and the \
        advances of a virtual clock. Comments at the beginning of a section name each known \
        difference. If scened had options, add them to the line `broker start`.
        """,
      arguments: [
        .optional("FILE", "the script to write (default: standard output, or `-`)", .file)
      ],
      options: [.flag("follow", short: "f", "record until Ctrl-C, across restarts of the broker")],
      examples: [
        "scenectl record story.scene": "Writes the actions since the broker started.",
        "scenectl record --follow story.scene": "Also records the actions until Ctrl-C.",
        "scenectl test story.scene": "Repeats the actions.",
      ])
  }
}
