extension TraceRecordingTests {
  static let examples: [Example] =
    saving + remarks + callbacks + names + activations + before + brokers
    + openings + events + launches

  static let launches: [Example] = [
    Example(
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
        "# The broker launched scene for packing; a line of the script starts it.",
        "client packing", "trace packing {", "    willConnect activity=null", "kill packing",
        "client packing", "background packing", "expect packing background activity=null",
      ])
  ]

  static let saving: [Example] = [
    Example(
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
        "# Only the type and the userInfo of an activity can be typed.",
        "broker start", "client packing", "trace packing {",
        "    willConnect reason=launch activity=null",
        #"packing: activity com.example.unknown {"generation": 1}"#, "packing: activity null",
        #"packing: activity t {"n": 4}"#, "expect packing foregroundActive activity.userInfo={}",
      ]),
    Example(
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
        "# `close packing` came while `background packing` was under way. The script runs "
          + "them one after the other, so it does not compare the callbacks of packing.",
        "background packing", "close packing",
      ]),
    Example(
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
    Example(
      "a save to a session without a scene",
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

  static let callbacks: [Example] = [
    Example(
      "a callback that is not answered in time is hung, and the clock goes on",
      """
      broker start --clock virtual
      client packing
      hang packing didEnterBackground
      background --no-wait packing
      advance 20s
      """,
      says: [
        "# The trace does not show whether packing hung or was stopped.",
        "broker start --clock virtual", "client packing", "hang packing didEnterBackground",
        "background --no-wait packing", "    didEnterBackground answered=false", "advance 20s",
        "    didDisconnect reason=watchdog",
      ]),
    Example(
      "of a callback that is under way at the end more may come",
      """
      broker start
      client packing
      hang packing willResignActive
      background --no-wait packing
      """,
      says: ["background packing", "    willResignActive", "    ...", "}"]),
  ]

  static let names: [Example] = [
    Example(
      "a session that cannot be named in a script has another name there, which none has",
      """
      broker start
      client trip 'trip,'
      client session-1
      trip: activity t {"n": 1}
      background session-1
      """,
      says: [
        #"# This script calls the session "trip," session-2."#, "client session-2",
        "client session-1", #"session-2: activity t {"n": 1}"#, "background session-1",
        "expect session-2 foregroundActive activity.userInfo={\"n\": 1}",
      ]),
    Example(
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
    Example(
      "one that a condition would take for something else has another",
      """
      broker start
      client trip 'my background'
      """,
      says: [#"# This script calls the session "my background" session-1."#, "client session-1"]),
    Example(
      "a client whose session has another already is called like no session",
      """
      broker start
      client packing
      client heir packing --take-over
      client packing-2
      packing-2: title A
      """,
      says: ["client packing-3 packing --take-over", "client packing-2"]),
    Example(
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
        #"# This script calls the session "packing" session-2."#, "client packing",
        "client session-2", "background packing", "close session-2",
        "expect packing background activity=null", "expect session-2 unattached activity=null",
      ]),
    Example(
      "a name goes to another session once the first is discarded",
      """
      broker start
      client packing
      discard packing
      client packing
      """,
      says: ["client packing", "discard packing", "client packing"]),
  ]

  static let activations: [Example] = [
    Example(
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
    Example(
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
        "# The activity that packing continued is not known; a placeholder stands for it.",
        "activate --activity com.example.unknown={} packing", "    willContinueUserActivity",
        "    continueUserActivity", "background packing",
        "activate --background --activity com.example.unknown={} packing",
        "    willContinueUserActivity", "activate --activity com.example.unknown={} packing",
        "    willEnterForeground", "    willContinueUserActivity", "    didBecomeActive",
      ]),
  ]

  /// A session from an earlier broker.
  static func earlier(
    _ past: String, _ change: String, _ act: String, makes lines: [String],
    then next: String? = nil
  ) -> Example {
    let acts = [act, next].compactMap { $0 }
    return Example(
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
        "broker start", "# The state before the recording, as far as it is known.", lines[0],
        #"packing: activity t {"n": 1}"#,
      ] + lines.dropFirst() + ["# The recording.", "client first"] + acts)
  }

  /// A session whose first entries the broker has dropped.
  static func forgotten(
    _ past: String, _ act: String, makes lines: [String], says: [String]
  ) -> Example {
    let long = String(repeating: "memo: activity null\nmemo: activity t\n", count: 6)
    return Example(
      "what the broker has forgotten is made first: \(lines.joined(separator: ", ")), then \(act)",
      """
      broker start --limit traceEntries=12
      client packing
      packing: activity t {"n": 1}
      \(past)
      client memo --background
      \(long)\(act)
      """,
      says: ["# The state before the recording, as far as it is known.", lines[0]]
        + [#"packing: activity t {"n": 1}"#] + lines.dropFirst() + ["# The recording."] + says)
  }

  static let again = "broker kill\nbroker start"

  static let before: [Example] = [
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

  static let openings: [Example] = [
    Example(
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
        "# packing opened unknown content (url); the script only activates the session.",
        "# packing opened unknown content (shortcut); the script only activates the session.",
        "activate packing", "background packing", "activate packing", "    willEnterForeground",
        "    didBecomeActive",
        "# packing opened unknown content (continuation); the script only activates the session.",
        "# packing opened unknown content (notification); the script only activates the session.",
        "reclaim packing", "activate packing", "    willConnect activity=null", "activate packing",
      ])
  ]

  static let brokers: [Example] = [
    Example(
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
        "client packing", "client itinerary", "# The broker is killed and started again.",
        "broker kill", "broker start", "background packing", "broker kill", "kill itinerary",
        "broker start", "client itinerary",
      ]),
    Example(
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
        "# The state before the recording, as far as it is known.", "client packing",
        #"packing: activity t {"n": 1}"#, "reclaim host",
        "# The recording.", "activate itinerary", "broker kill", "broker start", "client lost",
        "client closed", "activate host", "background packing",
      ]),
    Example(
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
