import CommandLine

/// The verbs that scripts are made of.
extension Command {
  private static var conditions: String {
    """
    A condition is SUBJECT [STATE] [PATH=VALUE]…

    SUBJECT is a session, `application`, or topic:NAME for the newest event of a topic. STATE of a \
    session is unattached, background, foregroundInactive, foregroundActive, or foreground for \
    either of the last two. STATE of the application is background, inactive or active. Without \
    STATE and PATH=VALUE the condition holds if the session or the event exists.

    PATH is a member of the output of `scenectl --json show`, or for the application of \
    `scenectl --json`. Dots separate names and array indices: title, client.pid, \
    disconnect.reason, userInfo.color. `activity` is short for \
    sceneSession.stateRestorationActivity. An event has kind, payload and position. VALUE is \
    compared as JSON and as text; a missing member equals null. PATH!=VALUE negates the comparison.

    `!` before a condition negates it.

    Each argument is a condition. An argument that is a STATE or PATH=VALUE continues the \
    condition before it, so that quotes are rarely needed.
    """
  }

  static var wait: Command {
    Command(
      "wait", "Wait until conditions hold at the same time.",
      details: conditions + """


        The verb also waits for a session that does not exist yet, and for a broker: `scened & \
        scenectl wait application` returns when the broker answers. For a topic, the verb tests the \
        newest event and each later event. After a timeout the verb prints which conditions held. The \
        timeout includes the time to reach the broker. The verb checks the conditions at least \
        once, which can take one second.
        """,
      arguments: [.repeated("CONDITION", "the conditions", .session)],
      options: [.timeout("10s")],
      examples: [
        "scenectl wait packing foregroundActive": "Returns when packing is active.",
        "scenectl wait 'packing foregroundActive activity.userInfo.line=42' 'application active'":
          "Returns when both conditions hold.",
        "scenectl wait packing unattached disconnect.reason=reclaimed --timeout 1m":
          "Waits for up to a minute.",
        "scenectl wait '! packing'": "Returns when there is no session packing.",
      ],
      exits: [.success: "all conditions hold", .timedOut: "the timeout elapsed first"])
  }

  static var `is`: Command {
    Command(
      "is", "Test whether conditions hold at the same time.",
      details: "The verb prints nothing; the exit status is the answer.\n\n" + conditions,
      arguments: [.repeated("CONDITION", "the conditions", .session)],
      options: [.flag("verbose", short: "v", "print which conditions hold, and the actual values")],
      examples: [
        "scenectl is packing foregroundActive && echo yes": "Prints yes if packing is active.",
        "scenectl is -v application sessions=3": "Prints the number of sessions if it differs.",
      ],
      exits: [.success: "all conditions hold", .failure: "a condition does not hold"])
  }

  static var trace: Command {
    Command(
      "trace", "Print callbacks, answers, saves and their reasons.",
      details: """
        Each line shows the seconds since the broker started. The broker keeps the last 10,000 \
        entries.
        """,
      arguments: [.optional("SESSION", "only the entries of this session", .session)],
      options: [
        .flag("follow", short: "f", "print new entries until Ctrl-C"),
        .value("after", "N", "only entries after number N", .integer(0...Int.max)),
      ],
      examples: [
        "scenectl trace packing": "Prints every callback of packing and its answer.",
        "scenectl trace --follow --json": "Prints an object for each entry as it happens.",
      ])
  }

  static var settle: Command {
    Command(
      "settle", "Wait until no scene moves and no request is queued.",
      options: [.timeout()],
      examples: ["scenectl settle": "Returns when every callback is answered."])
  }

  static var advance: Command {
    Command(
      "advance", "Advance the virtual clock of a broker.",
      details: """
        Timers that become due fire in order: the time limits (budgets) of callbacks, and the \
        reservations of sessions. Before each step, clients can answer their callbacks. \
        So only a client that does not answer exceeds its budget.

        The broker must run with --clock virtual.
        """,
      arguments: [.required("TIME", "the time to add", .duration)],
      options: [.timeout()],
      examples: [
        "scenectl advance 20s": "Moves the clock forward by 20 s at once.",
        "scenectl background --no-wait packing; scenectl advance 6s":
          "A client that does not answer exceeds its budget of 5 s.",
      ])
  }
}
