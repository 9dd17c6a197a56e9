import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneScript

/// Faults planted in programs: a wrapper around the real `scened` or `scene` misbehaves.
@Suite("The final check")
struct FinalCheckTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace() }

  /// A directory with the real programs, except for one.
  private func programs(_ name: String, _ text: String) throws -> String {
    for real in ["scened", "scene", "scenectl"] where real != name {
      try File.link(workplace.file(real), to: try Programs.path(real))
    }
    let real = try Programs.path(name)
    let path = try workplace.write(name, text.replacing("REAL", with: real.shellWord))
    try File.setMode(path, 0o755)
    return workplace.path
  }

  /// The violations after a run with these programs. The times are in nanoseconds.
  private func violations(
    with programs: String, exitTimeout: Int64 = SceneTestSupport.ceiling,
    closeTimeout: Int64 = SceneTestSupport.ceiling,
    _ meanwhile: (ScriptEnvironment) throws -> Void = { _ in }
  ) throws -> [String] {
    var settings = try ScriptFixture.settings()
    settings.programs = programs
    settings.lineTimeout = SceneTestSupport.ceiling
    settings.exitTimeout = exitTimeout
    settings.closeTimeout = closeTimeout
    let environment = try ScriptEnvironment(settings, files: [])
    defer { environment.tearDown() }
    environment.deadline = SystemClock.monotonic() + SceneTestSupport.ceiling
    try environment.startBroker([])
    try meanwhile(environment)
    return environment.close().map(\.sentence)
  }

  @Test("a connection without a client is a violation")
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
    let violations = try violations(with: programs, closeTimeout: 100_000_000)
    #expect(violations == [Self.excess + "2 sockets"])
  }

  private static let excess =
    "after the last client left, the broker has more open descriptors than at its start: "

  @Test("any other descriptor that was not open at the start is a violation")
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
    let violations = try violations(with: programs, closeTimeout: 100_000_000) { environment in
      try environment.broker?.process.send(.user1)
      try eventually("it has leaked", polling: .files) { File.exists(workplace.file("leaked")) }
    }
    let expected =
      "1 device: /dev/null; 1 directory: /; 2 eventfds; 1 eventpoll; "
      + "1 file: \(workplace.file("leaked")); 2 pipes"
    #expect(violations == [Self.excess + expected])
  }

  @Test("an event that was not delivered is a violation")
  func undelivered() throws {
    let real = try #require(Directory.parent(of: try Programs.path("scened")))
    let violations = try violations(with: real) { environment in
      try environment.line(.acts) { () throws(StepFailure) in
        try environment.startClient("packing", [])
      }
      try environment.line(.acts) { () throws(StepFailure) in
        try environment.type("observe News", at: "packing")
      }
      try environment.line(.acts) { () throws(StepFailure) in
        try environment.runControlVerb(["post", "News", "{}"])
      }
      let delivery = try #require(environment.trace.firstIndex { $0.event == .delivered })
      environment.history.runs[0].entries[delivery] = TraceEntry(.storage)
    }
    #expect(violations.count == 1)
    let isMissed = violations.first?.hasPrefix("packing: event ") == true
    #expect(
      isMissed && violations.first?.contains(" did not reach its observer scene ") == true,
      "\(violations)")
  }

  @Test("a broker that does not exit is a violation")
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
      try violations(with: programs, exitTimeout: 100_000_000)
        == ["final check failed: the broker did not exit"])
  }

  @Test("a broker that exits with an error is a violation")
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
    let violations = try violations(with: programs)
    #expect(violations.count == 1)
    #expect(
      violations.first?.hasPrefix("final check failed: the broker exited with status 3\n") == true)
  }

  @Test("a client whose scene has ended exits before the line ends")
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
    let outcome = ConditionMutex<Result<ScriptOutcome, any Error>?>(nil)
    _ = try Thread("play") {
      let played = Result {
        try ScriptFixture.run("broker start\nclient packing\nclient packing\n") {
          $0.programs = programs
        }
      }
      outcome.withLock { $0 = played }
    }
    for count in 1...2 {
      try eventually("a client is about to leave, or all is over", polling: .files) {
        let leaving = (try? workplace.read("leaving")) ?? ""
        return leaving.count == count || outcome.withLock { $0 != nil }
      }
      try leave.write("go\n")
    }
    let played = try #require(outcome.wait(until: SystemClock.monotonic() + ceiling) { $0 })
      .get()
    #expect(played.failure == nil, "\(played)")
  }

  @Test("a process that is still running is reported and killed with its connection")
  func leftOver() throws {
    let leaving = "exec sh -c 'scenectl trace --follow & echo $! >\(workplace.file("pid"))'\n"
    // The process never exits by itself, so a short timeout suffices.
    let failure = try ScriptFixture.failure("broker start\n" + leaving) {
      $0.strayTimeout = 1_000_000
    }
    let pid = try #require(Int32(workplace.read("pid").prefix { $0.isNumber }))
    #if os(Linux)
      let command = "scenectl trace --follow"
    #else
      let command = "(unknown command)"
    #endif
    #expect(
      failure.message == """
        every line passed, but invariants were violated:
        process \(pid) was still running at the end and was killed: \(command)
        """)
    #expect(failure.location.line == 2)
    #expect(ProcessIdentity.isEnding(pid))
  }

  @Test("a violation after a failed line is reported with the failure")
  func besides() throws {
    let text = "broker start\nexec sh -c 'sleep 1000 &'\nexec false\n"
    let failure = try ScriptFixture.failure(text) { $0.strayTimeout = 1_000_000 }
    #expect(
      failure.message.hasPrefix(
        "false exited with status 1\nalso, invariants were violated:\nprocess "))
    #expect(failure.location.line == 3)
  }

  @Test(
    "an acknowledged save that is lost with its broker is a violation",
    arguments: [
      "kill packing\nbroker kill\nexec rm -rf ../state\nbroker start",
      "broker kill\nexec rm -rf ../state\nbroker start",
      "broker stop\nexec rm -rf ../state",
      "shutdown\nexec rm -rf ../state",
      "broker kill --after replySent\npacking: activity a\nexec rm -rf ../state",
    ])
  func lost(rest: String) throws {
    let text = "broker start\nclient packing\npacking: activity com.example.note\n\(rest)\n"
    let failure = try ScriptFixture.failure(text)
    #expect(
      failure.message.contains(
        "packing: the session is gone, but no discard was reported; generation "),
      "\(failure.message)")
  }

  @Test(
    "a session without durable storage, or in another directory, is not missed",
    arguments: [
      ("--durability none", ""), ("--durability=none", "broker start"), ("--state here", ""),
      ("", "broker start --state there"),
      ("", "exec rm -rf ../state\n! broker start --no-such\nerror usage"),
    ])
  func notLost(options: String, rest: String) throws {
    let start = "broker start \(options)\nclient packing\npacking: activity com.example.note\n"
    try ScriptFixture.pass(start + "kill packing\nbroker kill\n\(rest)\n")
  }

  @Test("a shutdown with a status other than 0 fails the line")
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
    let failure = try ScriptFixture.failure("broker start\nshutdown\n") { $0.programs = programs }
    #expect(failure.message.hasPrefix("the broker exited with status 3"), "\(failure.message)")
    #expect(failure.location.line == 2)
  }

  @Test("a broker that SIGTERM terminates instead of a shutdown fails the line")
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
    let failure = try ScriptFixture.failure("broker start\nbroker stop\n") {
      $0.programs = programs
    }
    #expect(
      failure.message.hasPrefix("the broker was terminated by SIGTERM"), "\(failure.message)")
  }

  #if os(Linux)
    @Test("a program that does not end with its scene is reported and killed")
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
      let failure = try ScriptFixture.failure(script + "\n") { $0.strayTimeout = 1_000_000 }
      let pid = try #require(Int32(workplace.read("pid").prefix { $0.isNumber }))
      #expect(
        failure.message.hasSuffix(
          "process \(pid) was still running at the end and was killed: sleep 1000"))
      #expect(ProcessIdentity.isEnding(pid))
    }
  #endif

  @Test("a process that exits a little later is no violation")
  func lateProcess() throws {
    let line = "exec sh -c 'head -c 1 </dev/zero >/dev/null & true'\n"
    try ScriptFixture.pass("broker start\n" + String(repeating: line, count: 5))
  }

  private static let tooEarly = "the broker ended before it reached this point"

  @Test(
    "a fault that does not occur fails the line that injected it",
    arguments: [
      ("expect application", tooEarly), ("broker stop", tooEarly), ("shutdown", tooEarly),
      ("broker kill", tooEarly), ("broker restart\nexpect application", tooEarly),
      ("# Another section\nexpect application", tooEarly),
      ("broker kill --after replySent", "the fault --after replySent replaced it first"),
    ])
  func missedPoint(rest: String, reason: String) throws {
    let failure = try ScriptFixture.failure(
      "broker start\nbroker kill --before recordAppended\n\(rest)\n")
    #expect(failure.location.line == 2)
    #expect(failure.message == "the fault --before recordAppended did not occur: \(reason)")
  }

  @Test("a fault that occurs during the shutdown counts")
  func latePoint() throws {
    try ScriptFixture.pass(
      "broker start\nclient packing\nbroker kill --before recordAppended\nbroker stop\n")
  }
}
