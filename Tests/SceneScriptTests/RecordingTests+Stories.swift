/// What happens, and what the recorded script says of it.
extension RecordingTests {
  static let stories: [Story] =
    saving + remarks + callbacks + names + activations + before + brokers
    + openings + events + launches

  static let launches: [Story] = [
    Story(
      "whom the broker has started is started by a line",
      #"""
      exec sh -c 'echo "{\"supportsMultipleScenes\": true, \"configurations\":" >app.json'
      exec sh -c 'echo "{\"windowApplication\": [{\"name\": \"Note\", \"launch\": [\"scene\"]}]}}" >>app.json'
      broker start --manifest app.json
      new packing
      kill packing
      activate packing
      background packing
      """#,
      says: [
        "# The broker had started scene for packing; here it is started by a line.",
        "client packing", "trace packing {", "    willConnect activity=null", "kill packing",
        "client packing", "background packing", "expect packing background activity=null",
      ])
  ]

  static let saving: [Story] = [
    Story(
      "what was saved is typed again; what is not kept any more has a placeholder",
      """
      broker start
      client packing
      packing: activity t {"n": 1}
      packing: activity t {"n": 2}
      packing: activity null
      packing: activity t {"n": 4}
      exec sh call.sh packing session/saveActivity '"activity":{"activityType":"t","userInfo":{},"title":"T"}'
      """,
      says: [
        "# 2 activities that packing saved are not known; placeholders stand for them.",
        "# Of an activity only its type and its userInfo can be typed.",
        "broker start", "client packing", "trace packing {",
        "    willConnect reason=launch activity=null",
        #"packing: activity com.example.unknown {"generation": 1}"#, "packing: activity null",
        #"packing: activity t {"n": 4}"#, "expect packing foregroundActive activity.userInfo={}",
      ]),
    Story(
      "what was asked for while something else was under way",
      """
      broker start --clock virtual
      client packing
      freeze packing
      background --no-wait packing
      close --no-wait packing
      thaw packing
      """,
      says: [
        "# `close packing` came while `background packing` was under way. Here one is done after the "
          + "other, so what packing is called for is not compared.",
        "background packing", "close packing",
      ]),
    Story(
      "what another process saved is saved by another, and not typed",
      """
      broker start
      client packing
      packing: activity t {"n": 1}
      save packing t {"n": 2}
      packing: activity t {"n": 3}
      """,
      says: [
        #"packing: activity t {"n": 1}"#, #"save packing t {"n": 2}"#,
        #"packing: activity t {"n": 3}"#,
      ]),
    Story(
      "what is saved for a session that nobody has",
      """
      broker start
      client packing
      packing: close
      save packing t {"n": 1}
      save packing --clear
      """,
      says: [
        "packing: close", #"save packing t {"n": 1}"#, "save packing --clear",
        "expect packing unattached activity=null",
      ]),
  ]

  static let callbacks: [Story] = [
    Story(
      "a callback that is not answered in time is hung, and the clock goes on",
      """
      broker start --clock virtual
      client packing
      hang packing didEnterBackground
      background --no-wait packing
      advance 20s
      """,
      says: [
        "# Whether packing hung or was stopped is not known.", "broker start --clock virtual",
        "client packing", "hang packing didEnterBackground", "background --no-wait packing",
        "    didEnterBackground answered=false", "advance 20s",
        "    didDisconnect reason=watchdog",
      ]),
    Story(
      "of a callback that is under way at the end more may come",
      """
      broker start
      client packing
      hang packing willResignActive
      background --no-wait packing
      """,
      says: ["background packing", "    willResignActive", "    ...", "}"]),
  ]

  static let names: [Story] = [
    Story(
      "a session that cannot be named in a script has another name there, which none has",
      """
      broker start
      client trip 'trip,'
      client session-1
      trip: activity t {"n": 1}
      background session-1
      """,
      says: [
        "# The session trip, is called session-2 here.", "client session-2", "client session-1",
        #"session-2: activity t {"n": 1}"#, "background session-1",
        "expect session-2 foregroundActive activity.userInfo={\"n\": 1}",
      ]),
    Story(
      "a session with blanks in its name keeps it, and its client is called without",
      """
      broker start
      client trip 'my trip'
      client my-trip
      trip: activity t {"n": 1}
      background 'my trip' my-trip
      activate 'my trip'
      """,
      says: [
        "client my-trip-2 'my trip'", "client my-trip", #"my-trip-2: activity t {"n": 1}"#,
        "background 'my trip' my-trip", "trace my-trip-2 {", "activate 'my trip'",
        "expect 'my trip' foregroundActive activity.userInfo={\"n\": 1}",
      ]),
    Story(
      "one that a condition would take for something else has another",
      """
      broker start
      client trip 'my background'
      """,
      says: ["# The session my background is called session-1 here.", "client session-1"]),
    Story(
      "a client whose session has another already is called like no session",
      """
      broker start
      client packing
      client heir packing --take-over
      client packing-2
      packing-2: title A
      """,
      says: ["client packing-3 packing --take-over", "client packing-2"]),
    Story(
      "a session keeps the name that it had first, and another that gets it is called otherwise",
      """
      broker start
      client packing
      exec sh call.sh packing session/setName '"name":"itinerary"'
      client other packing
      background itinerary
      close packing
      """,
      says: [
        "# The session packing is called session-2 here.", "client packing", "client session-2",
        "background packing", "close session-2", "expect packing background activity=null",
        "expect session-2 unattached activity=null",
      ]),
    Story(
      "a name goes to another session once the first is discarded",
      """
      broker start
      client packing
      discard packing
      client packing
      """,
      says: ["client packing", "discard packing", "client packing"]),
  ]

  static let activations: [Story] = [
    Story(
      "a scene that is there already is activated, too",
      """
      broker start
      client packing
      client itinerary
      activate packing itinerary
      """,
      says: [
        "activate packing itinerary", "expect itinerary foregroundActive activity=null",
      ]),
    Story(
      "something is continued: where a scene is, on its way, and in the background",
      """
      broker start
      client packing
      activate --activity com.example.note={"line":2} packing
      background packing
      activate --background --activity com.example.note={"line":3} packing
      activate --activity com.example.note={"line":4} packing
      """,
      says: [
        "# What packing was given to continue is not known; something else stands for it.",
        "activate --activity com.example.unknown={} packing", "    willContinueUserActivity",
        "    continueUserActivity", "background packing",
        "activate --background --activity com.example.unknown={} packing",
        "    willContinueUserActivity", "activate --activity com.example.unknown={} packing",
        "    willEnterForeground", "    willContinueUserActivity", "    didBecomeActive",
      ]),
  ]

  /// What was made with another broker before this one.
  static func earlier(
    _ past: String, _ change: String, _ act: String, makes lines: [String],
    then next: String? = nil
  ) -> Story {
    let acts = [act, next].compactMap { $0 }
    return Story(
      "what was there before is made first: \((lines + acts).joined(separator: ", then "))",
      """
      broker start
      client packing
      packing: activity t {"n": 1}
      \(past)
      \(change)
      client first
      \(acts.joined(separator: "\n"))
      """,
      says: [
        "broker start", "# What was there before it, as far as that is known.", lines[0],
        #"packing: activity t {"n": 1}"#,
      ] + lines.dropFirst() + ["# What was recorded.", "client first"] + acts)
  }

  /// What was so long ago that the broker has forgotten it.
  static func forgotten(
    _ past: String, _ act: String, makes lines: [String], says: [String]
  ) -> Story {
    let long = String(repeating: "memo: activity null\nmemo: activity t\n", count: 6)
    return Story(
      "what the broker has forgotten is made first: \(lines.joined(separator: ", ")), then \(act)",
      """
      broker start --limit traceEntries=12
      client packing
      packing: activity t {"n": 1}
      \(past)
      client memo --background
      \(long)\(act)
      """,
      says: ["# What was there before it, as far as that is known.", lines[0]]
        + [#"packing: activity t {"n": 1}"#] + lines.dropFirst() + ["# What was recorded."] + says)
  }

  static let again = "broker kill\nbroker start"

  static let before: [Story] = [
    earlier(
      "kill packing", "broker restart", "client packing",
      makes: ["client packing --background", "kill packing"]),
    earlier(
      "kill packing", "broker restart", #"save packing t {"n": 2}"#,
      makes: ["client packing --background", "kill packing"], then: "client packing"),
    earlier(
      "background packing\nreclaim packing", "broker restart", #"save packing t {"n": 2}"#,
      makes: ["client packing --background", "reclaim packing"], then: "activate packing"),
    earlier(
      "packing: close", "broker restart", "client packing",
      makes: ["client packing --background", "packing: close"]),
    earlier(
      "background packing\nreclaim packing", "broker restart", "activate packing",
      makes: ["client packing --background", "reclaim packing"]),
    earlier("status", again, "background packing", makes: ["client packing"]),
    earlier(
      "background packing", again, "activate packing", makes: ["client packing --background"]),
    forgotten(
      "status", "background packing", makes: ["client packing"],
      says: ["background packing", "    willResignActive"]),
    forgotten(
      "interrupt packing", "background packing", makes: ["client packing", "interrupt packing"],
      says: ["background packing", "    didEnterBackground"]),
    forgotten(
      "interrupt packing", "activate packing", makes: ["client packing", "interrupt packing"],
      says: ["activate packing", "    didBecomeActive"]),
    forgotten(
      "background packing", "activate packing", makes: ["client packing --background"],
      says: ["activate packing", "    willEnterForeground"]),
    forgotten("status", "activate packing", makes: ["client packing"], says: ["activate packing"]),
    forgotten(
      "background packing", "activate --background packing",
      makes: ["client packing --background"], says: ["activate --background packing"]),
    forgotten(
      "background packing", "reclaim packing", makes: ["client packing --background"],
      says: ["reclaim packing", "    didDisconnect reason=reclaimed"]),
    forgotten("status", "kill packing", makes: ["client packing"], says: ["kill packing"]),
  ]

  static let openings: [Story] = [
    Story(
      "what was opened is not known: the scene is only activated, and that is said",
      """
      broker start
      client packing
      open note:a
      background packing
      shortcut new
      background packing
      reclaim packing
      continue --handoff com.example.note={"line":42}
      notify
      """,
      says: [
        "# What was opened in packing (url) is not known; here it is only activated.",
        "# What was opened in packing (shortcut) is not known; here it is only activated.",
        "activate packing", "background packing", "activate packing", "    willEnterForeground",
        "    didBecomeActive",
        "# What was opened in packing (continuation) is not known; here it is only activated.",
        "# What was opened in packing (notification) is not known; here it is only activated.",
        "reclaim packing", "activate packing", "    willConnect activity=null", "activate packing",
      ])
  ]

  static let brokers: [Story] = [
    Story(
      "who comes back was not killed; who does not was, before the next broker",
      """
      broker start
      client packing
      client itinerary
      exec sh follow.sh
      broker kill
      broker start
      background packing
      broker kill
      kill itinerary
      broker start
      client itinerary
      """,
      says: [
        "client packing", "client itinerary", "# The broker is killed, and another started.",
        "broker kill", "broker start", "background packing", "broker kill", "kill itinerary",
        "broker start", "client itinerary",
      ]),
    Story(
      "what was there before brokers that were followed",
      """
      broker start
      client packing
      packing: activity t {"n": 1}
      client itinerary --background
      client lost
      client closed
      client host
      background host
      reclaim host
      kill lost
      closed: close
      broker kill
      broker start
      exec sh follow.sh
      activate itinerary
      broker kill
      broker start
      client lost
      client closed
      activate host
      background packing
      """,
      says: [
        "# What was there before it, as far as that is known.", "client packing",
        #"packing: activity t {"n": 1}"#, "reclaim host",
        "# What was recorded.", "activate itinerary", "broker kill", "broker start", "client lost",
        "client closed", "activate host", "background packing",
      ]),
    Story(
      "who waits for a scene waits for it with the next broker, too",
      """
      broker start
      client packing
      background packing
      reclaim packing
      exec sh follow.sh
      broker kill
      broker start
      activate packing
      """,
      says: [
        "reclaim packing", "broker kill", "broker start", "activate packing",
        "    willConnect reason=activation activity=null",
      ]),
  ]
}
