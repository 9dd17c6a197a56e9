import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneScript

/// Faults planted in programs: what stands between the script and the real `scened` or `scene`
/// misbehaves.
@Suite("What must be so when a script is over")
struct StagedRuleTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace() }

  /// Programs of which one is another.
  private func programs(_ name: String, _ text: String) throws -> String {
    for real in ["scened", "scene", "scenectl"] where real != name {
      try File.link(workplace.file(real), to: try Programs.path(real))
    }
    let real = try Programs.path(name)
    let path = try workplace.write(name, text.replacing("REAL", with: real.shellWord))
    try File.setMode(path, 0o755)
    return workplace.path
  }

  private func failure(_ outcome: ScriptOutcome) throws -> ScriptFailure {
    for section in outcome.sections {
      if case .failed(let failure) = section.result { return failure }
    }
    throw Unmet("it passed")
  }

  /// What is wrong once a broker runs, and everybody goes, with so many nanoseconds for the last of
  /// it.
  private func breaches(
    with programs: String, ending: Int64 = SceneTestSupport.ceiling,
    _ meanwhile: (Stage) throws -> Void = { _ in }
  ) throws -> [String] {
    var settings = try Theatre.settings()
    settings.programs = programs
    settings.ceiling = SceneTestSupport.ceiling
    settings.ending = ending
    let stage = try Stage(settings, files: [])
    defer { stage.strike() }
    stage.deadline = SystemClock.monotonic() + SceneTestSupport.ceiling
    try stage.startBroker([])
    try meanwhile(stage)
    return stage.close().map(\.sentence)
  }

  @Test("a broker that has connections open to nobody is told of")
  func openConnections() throws {
    let programs = try programs(
      "scened",
      """
      #!/usr/bin/env python3
      import os, socket, sys
      for end in socket.socketpair():
          os.set_inheritable(end.detach(), True)
      os.execv(REAL, sys.argv)
      """.replacing("REAL", with: "'REAL'"))
    let breaches = try breaches(with: programs, ending: 100_000_000)
    #expect(breaches == [Self.excess + "2 sockets"])
  }

  private static let excess =
    "every client has gone, and the broker has more open than at its start: "

  @Test("so is one that has anything else open that it had not at its start")
  func leakedDescriptors() throws {
    let programs = try programs(
      "scened",
      """
      #!/usr/bin/env python3
      import os, select, signal, subprocess, sys
      kept = []
      def leak(*_):
          kept.extend(os.pipe() + (os.open("/", os.O_RDONLY), os.open("leaked", os.O_CREAT | os.O_RDWR)))
          kept.extend([os.eventfd(0), os.eventfd(0), select.epoll()])
          os.open("/dev/null", os.O_RDWR)
          os.rename("leaked", "\(workplace.file("leaked"))")
      signal.signal(signal.SIGUSR1, leak)
      signal.signal(signal.SIGTERM, lambda *_: broker.terminate())
      broker = subprocess.Popen([REAL] + sys.argv[1:], close_fds=False)
      os.close(3)
      sys.exit(broker.wait())
      """.replacing("REAL", with: "'REAL'"))
    let breaches = try breaches(with: programs, ending: 100_000_000) { stage in
      try stage.broker?.process.send(.user1)
      try eventually("it has leaked") { File.exists(workplace.file("leaked")) }
    }
    let expected =
      "1 device: /dev/null; 1 directory: /; 2 eventfds; 1 eventpoll; "
      + "1 file: \(workplace.file("leaked")); 2 pipes"
    #expect(breaches == [Self.excess + expected])
  }

  @Test("an event that a script posts is missed where it was not delivered")
  func undelivered() throws {
    let real = try #require(Directory.parent(of: try Programs.path("scened")))
    let breaches = try breaches(with: real) { stage in
      try stage.line(.acts) { () throws(StepFailure) in try stage.startClient("packing", []) }
      try stage.line(.acts) { () throws(StepFailure) in
        try stage.type("observe News", at: "packing")
      }
      try stage.line(.acts) { () throws(StepFailure) in try stage.act(["post", "News", "{}"]) }
      let delivery = try #require(stage.story.firstIndex { $0.event == .delivered })
      stage.chronicle.entries[delivery] = TraceEntry(.storage)
    }
    #expect(breaches.count == 1)
    let isMissed = breaches.first?.hasPrefix("packing: the event ") == true
    #expect(isMissed && breaches.first?.contains(" has not come to scene ") == true, "\(breaches)")
  }

  @Test("a broker that does not end is told of")
  func endlessBroker() throws {
    let programs = try programs(
      "scened",
      """
      #!/bin/sh
      trap '' TERM
      REAL "$@" &
      exec 3>&-
      while :; do wait; sleep 1; done
      """)
    #expect(
      try breaches(with: programs, ending: 100_000_000)
        == ["at the end the broker does not end"])
  }

  @Test("a broker that does not end well is told of")
  func failingBroker() throws {
    let programs = try programs(
      "scened",
      """
      #!/bin/sh
      trap 'kill $pid; wait; exit 3' TERM
      REAL "$@" &
      pid=$!
      exec 3>&-
      wait
      """)
    let breaches = try breaches(with: programs)
    #expect(breaches.count == 1)
    #expect(breaches.first?.hasPrefix("at the end the broker has ended with status 3\n") == true)
  }

  @Test("a client whose scene is over has ended when the line is over")
  func leavingClient() throws {
    let go = workplace.file("go")
    _ = try RunningProgram.run("/bin/sh", ["-c", "mkfifo \(go.shellWord)"])
    let leave = try File.open(go, [.read, .write])
    let programs = try programs(
      "scene",
      """
      #!/bin/sh
      echo '{"do":"connect","reply":{}}'
      echo '{"state":"ended"}'
      read status
      echo '{"do":"status","id":1,"reply":{}}'
      echo >>\(workplace.file("leaving").shellWord)
      read go <\(go.shellWord)
      """)
    let outcome = Monitor<Result<ScriptOutcome, any Error>?>(nil)
    _ = try Thread("play") {
      let played = Result {
        try Theatre.play("broker start\nclient packing\nclient packing\n") {
          $0.programs = programs
        }
      }
      outcome.withLock { $0 = played }
    }
    for count in 1...2 {
      try eventually("a client is about to leave, or all is over") {
        let leaving = (try? workplace.read("leaving")) ?? ""
        return leaving.count == count || outcome.withLock { $0 != nil }
      }
      try leave.write("go\n")
    }
    let played = try #require(outcome.wait(until: SystemClock.monotonic() + ceiling) { $0 }).get()
    #expect(played.passed, "\(TestReport.lines(of: played, from: 1))")
  }

  @Test("a process that a script leaves behind is named and ended, and its connection with it")
  func leftOver() throws {
    let leaving = "exec sh -c 'scenectl trace --follow & echo $! >\(workplace.file("pid"))'\n"
    // It is there until it is ended, so there is nothing to wait for.
    let failure = try failure(
      try Theatre.play("broker start\n" + leaving) { $0.lingering = 1_000_000 })
    let pid = try #require(Int32(workplace.read("pid").prefix { $0.isNumber }))
    #if os(Linux)
      let command = "scenectl trace --follow"
    #else
      let command = "a program without a name"
    #endif
    #expect(
      failure.message == """
        everything passed, but this must always be so, and is not:
        process \(pid), which a line has left behind, went on and was ended: \(command)
        """)
    #expect(failure.place.line == 2)
    #expect(ProcessIdentity.isEnding(pid))
  }

  #if os(Linux)
    @Test("a process that has left the group is named and ended, too")
    func strayed() throws {
      let pid = workplace.file("pid")
      let failure = try failure(
        try Theatre.play("broker start\nexec sh -c 'setsid sleep 4242 & echo $! >\(pid)'\n") {
          $0.lingering = 1_000_000
        })
      let number = try #require(Int32(workplace.read("pid").prefix { $0.isNumber }))
      #expect(
        failure.message == """
          everything passed, but this must always be so, and is not:
          process \(number), which a line has left behind, went on and was ended: sleep 4242
          """)
      #expect(ProcessIdentity.isEnding(number))
    }
  #endif

  @Test("of a script that failed it is told besides")
  func besides() throws {
    let text = "broker start\nexec sh -c 'sleep 1000 &'\nexec false\n"
    let failure = try failure(try Theatre.play(text) { $0.lingering = 1_000_000 })
    #expect(
      failure.message.hasPrefix(
        "false has ended with status 1\nbesides, this must always be so, and is not:\nprocess "))
    #expect(failure.place.line == 3)
  }

  @Test(
    "what was acknowledged and is lost with its broker is missed, wherever the script ends",
    arguments: [
      "kill packing\nbroker kill\nexec rm -rf ../state\nbroker start",
      "broker kill\nexec rm -rf ../state\nbroker start",
      "broker stop\nexec rm -rf ../state",
      "shutdown\nexec rm -rf ../state",
      "broker kill --after replySent\npacking: activity a\nexec rm -rf ../state",
    ])
  func lost(rest: String) throws {
    let text = "broker start\nclient packing\npacking: activity com.example.note\n\(rest)\n"
    let failure = try failure(try Theatre.play(text))
    #expect(
      failure.message.contains(
        "packing: it has gone, and nobody was told that it was discarded; generation "),
      "\(failure.message)")
  }

  @Test(
    "what is not to be kept, or is kept elsewhere, is not missed",
    arguments: [
      ("--durability none", ""), ("--durability=none", "broker start"), ("--state here", ""),
      ("", "broker start --state there"),
      ("", "exec rm -rf ../state\n! broker start --no-such\nerror usage"),
    ])
  func notLost(options: String, rest: String) throws {
    let start = "broker start \(options)\nclient packing\npacking: activity com.example.note\n"
    let outcome = try Theatre.play(start + "kill packing\nbroker kill\n\(rest)\n")
    #expect(outcome.passed, "\(TestReport.lines(of: outcome, from: 1))")
  }

  @Test("a broker that was told to end, and does not say that all went well, is told of")
  func failingShutdown() throws {
    let programs = try programs(
      "scened",
      """
      #!/bin/sh
      REAL "$@" &
      exec 3>&-
      wait
      exit 3
      """)
    let failure = try failure(
      try Theatre.play("broker start\nshutdown\n") { $0.programs = programs })
    #expect(failure.message.hasPrefix("the broker has ended with status 3"), "\(failure.message)")
    #expect(failure.place.line == 2)
  }

  @Test("a broker that is ended by the signal that was to end it in order is told of")
  func brokerWithoutOrder() throws {
    let programs = try programs(
      "scened",
      """
      #!/bin/sh
      trap 'kill -9 $pid; wait; trap - TERM; kill -TERM $$' TERM
      REAL "$@" &
      pid=$!
      exec 3>&-
      wait
      """)
    let failure = try failure(
      try Theatre.play("broker start\nbroker stop\n") { $0.programs = programs })
    #expect(
      failure.message.hasPrefix("the broker has been ended by SIGTERM"), "\(failure.message)")
  }

  #if os(Linux)
    @Test("so is a program that was a scene, and does not end with it")
    func leftProgram() throws {
      let script = """
        broker start
        client packing -- sh stays
        await packing activity.userInfo.n=1
        -- stays --
        trap '' TERM HUP
        echo $$ >\(workplace.file("pid"))
        echo '{"activityType":"x","userInfo":{"n":1}}' >"$SCENE_ACTIVITY"
        exec sleep 1000
        """
      let failure = try failure(try Theatre.play(script + "\n") { $0.lingering = 1_000_000 })
      let pid = try #require(Int32(workplace.read("pid").prefix { $0.isNumber }))
      #expect(
        failure.message.hasSuffix(
          "process \(pid), which a line has left behind, went on and was ended: sleep 1000"))
      #expect(ProcessIdentity.isEnding(pid))
    }
  #endif

  @Test("a process that ends a little later by itself is not left behind")
  func lateProcess() throws {
    let ending = "exec sh -c 'head -c 1 </dev/zero >/dev/null & true'\n"
    let outcome = try Theatre.play("broker start\n" + String(repeating: ending, count: 5))
    #expect(outcome.passed, "\(TestReport.lines(of: outcome, from: 1))")
  }

  @Test(
    "a point that nothing ran into fails the line that named it",
    arguments: [
      "expect application", "broker stop", "shutdown", "broker kill",
      "broker restart\nexpect application",
      "# Another section\nexpect application",
    ])
  func missedPoint(rest: String) throws {
    let text = "broker start\nbroker kill --before recordAppended\n\(rest)\n"
    let failure = try failure(try Theatre.play(text))
    #expect(failure.place.line == 2)
    #expect(
      failure.message
        == "nothing ran into the point --before recordAppended: "
        + "the broker had not come to it when it ended")
  }

  @Test("a point of which another takes the place fails the line that named it, and says so")
  func replacedPoint() throws {
    let text = """
      broker start
      broker kill --before recordAppended
      broker kill --after replySent

      """
    let failure = try failure(try Theatre.play(text))
    #expect(failure.place.line == 2)
    #expect(
      failure.message
        == "nothing ran into the point --before recordAppended: the broker, which knows one point at a "
        + "time, was told --after replySent before it had come to it")
  }

  @Test("a point that the broker comes to as it ends is one that was run into")
  func latePoint() throws {
    let outcome = try Theatre.play(
      "broker start\nclient packing\nbroker kill --before recordAppended\nbroker stop\n")
    #expect(outcome.passed, "\(TestReport.lines(of: outcome, from: 1))")
  }
}
