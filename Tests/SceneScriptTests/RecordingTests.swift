import JSON
import SceneModel
import Testing

@testable import SceneScript

@Suite("Scripts written from what happened")
struct RecordingTests {
  private func lines(_ tale: Tale, _ change: (inout Recording) -> Void = { _ in }) -> [String] {
    var recording = Recording(application: "default")
    recording.entries = tale.entries
    change(&recording)
    let script = recording.script
    let flaws = Script.reading(script, path: "a.scene").flaws
    #expect(flaws == [], "\(script)")
    return script.split(separator: "\n").map(String.init)
  }

  private func activity(_ json: String) -> Activity {
    Activity(unchecked: RawJSON(unchecked: ContiguousArray(json.utf8)))
  }

  private func walk(_ tale: inout Tale, _ pid: Int64, _ callbacks: String...) {
    for callback in callbacks {
      tale.call(0, pid, callback)
      tale.answer(0, pid, callback)
    }
  }

  private func start(_ tale: inout Tale) {
    tale.join(1)
    tale.tell(.created, 0, 1) { $0.detail = "by scene 1" }
    tale.tell(.connected, 0, 1) { ($0.reason, $0.generation) = ("launch", 0) }
    tale.tell(.callback, 0, 1) { ($0.callback, $0.reason) = ("willConnect", "launch") }
    tale.answer(0, 1, "willConnect")
  }

  @Test("what another process saved is saved by another, and not typed")
  func savedByOthers() {
    var tale = Tale()
    start(&tale)
    let details = [nil, "by scenectl 7", "by scene 1", "by scenectl 8; 60000 bytes are much"]
    for (index, detail) in details.enumerated() {
      tale.tell(.saved, 0, 1) { ($0.generation, $0.detail) = (Int64(index + 1), detail) }
    }
    let lines = lines(tale) { recording in
      recording.activities[identifier(0)] = Dictionary(
        uniqueKeysWithValues: (1...4).map {
          ($0, activity(#"{"activityType":"t","userInfo":{"line":\#($0)}}"#))
        })
    }
    #expect(
      lines.filter { $0.contains("line") } == [
        #"packing: activity t {"line":1}"#, #"save packing t {"line":2}"#,
        #"packing: activity t {"line":3}"#, #"save packing t {"line":4}"#,
      ], "\(lines)")
  }

  @Test("what was saved is typed again, and what is not known any more has a placeholder")
  func saving() {
    var tale = Tale()
    start(&tale)
    for generation in [1, 2, 3, 4] as [Int64] {
      tale.tell(.saved, 0, 1) { $0.generation = generation }
    }
    let lines = lines(tale) {
      $0.activities[identifier(0)] = [
        2: nil, 3: activity("{\"userInfo\":{\"a\":\n 1},\"activityType\":\"t\"}"),
        4: activity(#"{"userInfo":{},"activityType":"t","title":"T"}"#),
      ]
    }
    #expect(
      lines == [
        "# Recorded from application default, 2023-11-14 22:13:20 UTC.",
        "# What packing saved as generation 1 is not known; this stands for it.",
        "# Of an activity only its type and its userInfo can be typed.",
        "broker start",
        "client packing",
        "trace packing {",
        "    willConnect reason=launch activity=null",
        "}",
        "packing: activity com.example.unknown {\"generation\": 1}",
        "packing: activity null",
        "packing: activity t {\"a\":  1}",
        "packing: activity t {}",
      ])
  }

  @Test("a callback that was not answered in time is hung, and the clock goes on")
  func hanging() {
    var tale = Tale()
    start(&tale)
    tale.tell(.aimed, 0, 1) { ($0.state, $0.detail) = (.background, "by scene 1") }
    tale.call(0, 1, "didEnterBackground")
    tale.answer(0, 1, "didEnterBackground", .overran)
    tale.tell(.callback, 0, 1) { ($0.callback, $0.reason) = ("didDisconnect", "watchdog") }
    tale.disconnect(0, 1, "watchdog")
    tale.leave(1)
    let lines = lines(tale)
    #expect(lines.contains("broker start --clock virtual"))
    #expect(lines.contains("# Whether packing hung or was stopped is not known."))
    #expect(
      Array(lines.suffix(9)) == [
        "hang packing didEnterBackground",
        "background --no-wait packing",
        "trace packing {",
        "    didEnterBackground answered=false",
        "}",
        "advance 20s",
        "trace packing {",
        "    didDisconnect reason=watchdog",
        "}",
      ])
  }

  @Test(
    "what was there before is made first, as it seems to have been",
    arguments: [
      ("recover", ["client packing --background", "kill packing"]),
      ("restore", ["client packing --background", "packing: close"]),
      (
        "activation", ["client packing --background", "# packing is reclaimed.", "reclaim packing"]
      ),
      ("resume", ["client packing"]),
    ])
  func before(reason: String, expected: [String]) {
    var tale = Tale()
    tale.join(1)
    tale.tell(.connected, 0, 1) { entry in
      (entry.reason, entry.generation) = (reason, 0)
      if reason == "activation" { entry.detail = "by scenectl 9" }
    }
    let lines = lines(tale)
    #expect(lines[2] == "# What was there before it, as far as that is known.")
    #expect(Array(lines[3...].prefix(expected.count)) == expected)
  }

  @Test("a session that cannot be named in a script has another name there")
  func naming() {
    var tale = Tale()
    tale.join(1)
    tale.tell(.created, 0, 1) { $0.name = "my trip" }
    tale.tell(.connected, 0, 1) { ($0.name, $0.reason) = ("my trip", "launch") }
    let lines = lines(tale)
    #expect(lines.contains("# The session my trip is called session-1 here."))
    #expect(lines.last == "client session-1")
  }

  @Test("of a callback that was under way at the end more may come")
  func unfinished() {
    var tale = Tale()
    start(&tale)
    tale.tell(.aimed, 0, 1) { ($0.state, $0.detail) = (.background, "by scenectl 9") }
    tale.call(0, 1, "willResignActive")
    #expect(lines(tale).suffix(3) == ["    willResignActive", "    ...", "}"])
  }

  @Test("a process that comes back was not killed; one that does not was, before the next broker")
  func brokers() {
    var tale = Tale()
    start(&tale)
    tale.restart(after: 10)
    tale.join(1)
    tale.tell(.connected, 0, 1) { ($0.reason, $0.generation) = ("resume", 0) }
    tale.restart(after: 10)
    tale.join(2)
    tale.tell(.connected, 0, 2) { ($0.reason, $0.generation) = ("recover", 0) }
    let acts = lines(tale).filter { !$0.hasPrefix("#") && !$0.hasPrefix(" ") && $0 != "}" }
    #expect(
      acts == [
        "broker start", "client packing", "trace packing {", "broker kill", "broker start",
        "broker kill", "kill packing", "broker start", "client packing",
      ])
  }
}
