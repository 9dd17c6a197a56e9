import CommandLine

/// The verbs that scripts are made of.
extension Command {
  private static var conditions: String {
    """
    A condition is WHO [STATE] [PATH=VALUE]…

    WHO is a session, `application`, or topic:NAME, which is the newest event of that topic; \
    `wait` is content with any that comes meanwhile. STATE is unattached, background, foregroundInactive, \
    foregroundActive or foreground (either of the two); of the application: background, inactive \
    or active. With neither STATE nor \
    PATH=VALUE it holds if there is such a session, or such an event.

    PATH leads into what `scenectl --json show` prints, or for the application `scenectl \
    --json`: names and places in arrays with dots between, such as title, client.pid, \
    disconnect.reason or userInfo.color. `activity` is short for \
    sceneSession.stateRestorationActivity. VALUE is compared as JSON, and as text. What is not \
    there counts as null. PATH!=VALUE holds if it is anything else. Of an event there are kind, \
    payload.… and position.

    `!` before a condition turns it round.

    Each argument is a condition. One that is a state or PATH=VALUE goes on with the condition \
    before, so that quotes are seldom needed.
    """
  }

  static var wait: Command {
    Command(
      "wait", "Wait until conditions hold, all at once.",
      details: conditions + """


        A session that is not there yet is waited for, and so is a broker: `scened & scenectl wait \
        application` returns when it answers. If the time is over first, it says what \
        held and what did not. The time is that of all of it, a broker that is slow to answer \
        included; but one look is always had, which may take a second.
        """,
      arguments: [.repeated("CONDITION", "what to wait for", .session)],
      options: [.timeout("10s")],
      examples: [
        "scenectl wait packing foregroundActive": "Returns when packing is active.",
        "scenectl wait 'packing foregroundActive activity.userInfo.line=42' 'application active'":
          "Returns when both hold.",
        "scenectl wait packing unattached disconnect.reason=reclaimed --timeout 1m":
          "Waits for up to a minute.",
        "scenectl wait '! packing'": "Returns when there is no session packing.",
      ],
      exits: [.yes: "all hold", .timedOut: "a condition does not hold in time"])
  }

  static var `is`: Command {
    Command(
      "is", "Ask whether conditions hold, all at once.",
      details: "Prints nothing: the answer is the exit status.\n\n" + conditions,
      arguments: [.repeated("CONDITION", "what to ask", .session)],
      options: [.flag("verbose", short: "v", "say which hold, and how things are")],
      examples: [
        "scenectl is packing foregroundActive && echo yes": "Prints yes if packing is active.",
        "scenectl is -v application sessions=3": "Says how many there are if it is another number.",
      ],
      exits: [.yes: "all hold", .no: "a condition does not hold"])
  }

  static var trace: Command {
    Command(
      "trace", "Print what happened: callbacks, answers, saves and reasons.",
      details: """
        A line for each, with the seconds since the broker started. The broker keeps the last \
        10,000.
        """,
      arguments: [.optional("SESSION", "only about this session", .session)],
      options: [
        .flag("follow", short: "f", "go on with what happens, for as long as somebody reads it"),
        .value("after", "N", "only entries after number N", .integer(0...Int.max)),
      ],
      examples: [
        "scenectl trace packing": "Everything packing was told, and answered.",
        "scenectl trace --follow --json": "One object a line, as it happens.",
      ])
  }

  static var settle: Command {
    Command(
      "settle", "Wait until all is quiet: no scene is on its way, nothing is queued.",
      options: [.timeout()],
      examples: ["scenectl settle": "Returns when every callback was answered."])
  }

  static var advance: Command {
    Command(
      "advance", "Let the time of a broker with a virtual clock go on.",
      details: """
        Whatever is due on the way happens, in order: budgets end, and what is kept for a while \
        is given up. Before each step, clients that were asked something have the chance to \
        answer, so only one that does not answer overruns its budget.

        The broker must have been started with --clock virtual.
        """,
      arguments: [.required("TIME", "by how much", .duration)],
      options: [.timeout()],
      examples: [
        "scenectl advance 20s": "Twenty seconds later, at once.",
        "scenectl background --no-wait packing; scenectl advance 6s":
          "A scene that hangs is over its budget of 5 s.",
      ])
  }
}
