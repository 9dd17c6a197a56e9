import CommandLine

extension Command {
  static var record: Command {
    Command(
      "record", "Write a script that does what was just done.",
      details: """
        Scenes that were started, typed at, moved about, killed and taken over become the lines of \
        a script, and the callbacks that came of them its traces; `scenectl test` plays it. It is \
        written from what the broker keeps, back to its start if that is not too long ago.

        With --follow it goes on from there until Ctrl-C, also while the broker is killed and \
        started again, and only then writes the script.

        The trace does not tell everything. Options of scened are to be added to `broker start`; \
        titles, refused requests, and time that a virtual clock was given leave nothing behind. \
        Where the script is not quite what happened, the heading of its section says so.
        """,
      arguments: [.optional("FILE", "where to; standard output without, or with `-`", .file)],
      options: [.flag("follow", short: "f", "until Ctrl-C, brokers that come and go included")],
      examples: [
        "scenectl record story.scene": "Writes what happened since the broker started.",
        "scenectl record --follow story.scene": "Writes what happens, too, until Ctrl-C.",
        "scenectl test story.scene": "Does it all again.",
      ])
  }
}
