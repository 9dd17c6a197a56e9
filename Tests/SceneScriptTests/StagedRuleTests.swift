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

  /// What is wrong once a broker runs, and everybody goes, with so many nanoseconds for that.
  private func breaches(with programs: String, within ceiling: Int64) throws -> [String] {
    var settings = try Theatre.settings()
    settings.programs = programs
    settings.ceiling = ceiling
    let stage = try Stage(settings, files: [])
    defer { stage.strike() }
    stage.deadline = SystemClock.monotonic() + SceneTestSupport.ceiling
    try stage.startBroker([])
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
    let breaches = try breaches(with: programs, within: 15_000_000_000)
    #expect(breaches == ["every client has gone, and the broker still has 2 connections open"])
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
      try breaches(with: programs, within: 15_000_000_000)
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
    let breaches = try breaches(with: programs, within: SceneTestSupport.ceiling)
    #expect(breaches.count == 1)
    #expect(breaches.first?.hasPrefix("at the end the broker has ended with status 3\n") == true)
  }

  @Test("a client whose scene is over has ended when the line is over")
  func leavingClient() throws {
    let programs = try programs(
      "scene",
      """
      #!/bin/sh
      echo '{"do":"connect","reply":{}}'
      echo '{"state":"ended"}'
      read status
      echo '{"do":"status","id":1,"reply":{}}'
      sleep 0.2
      """)
    let outcome = try Theatre.play("broker start\nclient packing\nclient packing\n") {
      $0.programs = programs
    }
    #expect(outcome.passed, "\(TestReport.lines(of: outcome, from: 1))")
  }

  @Test("a process that a script leaves behind is named and ended")
  func leftOver() throws {
    let leaving = "exec sh -c 'sleep 1000 & echo $! >\(workplace.file("pid"))'\n"
    let failure = try failure(try Theatre.play("broker start\n" + leaving))
    let pid = try #require(Int32(workplace.read("pid").prefix { $0.isNumber }))
    #if os(Linux)
      #expect(
        failure.message == """
          everything passed, but this must always be so, and is not:
          process \(pid), which a line has left behind, went on and was ended: sleep 1000
          """)
      #expect(failure.place.line == 2)
      try expectGone(pid)
      // Of a script that failed it is not told, but ended all the same.
      _ = try Theatre.play(leaving + "exec false\n")
      try expectGone(try #require(Int32(workplace.read("pid").prefix { $0.isNumber })))
    #else
      try Signal.kill.send(to: pid)
      #expect(failure.message.hasSuffix("has started another, which goes on"))
    #endif
  }

  /// Whoever takes over an orphan may not have reaped it yet.
  private func expectGone(_ pid: Int32) throws {
    let deadline = SystemClock.monotonic() + ceiling
    while let bytes = try? File.read("/proc/\(pid)/stat", limit: 4096),
      let record = ProcessRecord(parsing: bytes), !record.isExiting
    {
      guard SystemClock.monotonic() < deadline else { throw Unmet("process \(pid) goes on") }
    }
  }

  @Test(
    "a point that nothing ran into fails the line that named it",
    arguments: [
      "expect application", "broker stop", "broker kill", "broker restart\nexpect application",
      "# Another section\nexpect application",
    ])
  func missedPoint(rest: String) throws {
    let text = "broker start\nbroker kill --before recordAppended\n\(rest)\n"
    let failure = try failure(try Theatre.play(text))
    #expect(failure.place.line == 2)
    #expect(
      failure.message
        == "nothing ran into this point: the broker had not come to it when it was ended")
  }

  @Test("a point that the broker comes to as it ends is one that was run into")
  func latePoint() throws {
    let outcome = try Theatre.play(
      "broker start\nclient packing\nbroker kill --before recordAppended\nbroker stop\n")
    #expect(outcome.passed, "\(TestReport.lines(of: outcome, from: 1))")
  }
}
