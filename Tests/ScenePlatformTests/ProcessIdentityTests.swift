import SceneTestSupport
import Testing

@testable import ScenePlatform

@Suite("Process identity")
struct ProcessIdentityTests {
  /// A line of `/proc/PID/stat` with these fields.
  private static func line(
    name: String, state: String = "S", flags: String = "4194304", threads: String = "1",
    startTime: String = "123456"
  ) -> String {
    "4711 (\(name)) \(state) 1 4711 4711 34816 4711 \(flags) 100 0 0 0 1 2 3 4 20 0 "
      + "\(threads) 0 \(startTime) 10000000 200 18446744073709551615 1 1 0 0 0 0 0 0\n"
  }

  @Test(
    "a record is read with any name of the program",
    arguments: [
      "cat", "tmux: server", "a) R 1 (b", "((", "))", ")", "", "a\nb) Z 9 9", "\u{FF}é", "9) Z 0 0",
    ])
  func names(name: String) {
    let record = ProcessRecord(parsing: Array(Self.line(name: name).utf8))
    #expect(
      record
        == ProcessRecord(
          state: UInt8(ascii: "S"), parent: 1, group: 4711, flags: 4_194_304, cpuTicks: 3,
          threads: 1, startTime: 123456, residentPages: 200))
  }

  @Test(
    "a text that is no record is refused",
    arguments: [
      "", "4711", "4711 (cat", "4711 (cat)", "4711 (cat) S 1 2 3",
      line(name: "cat", startTime: "x"), line(name: "cat", flags: "-1"),
      line(name: "cat", startTime: "99999999999999999999"), line(name: "cat", state: "SS"),
    ])
  func malformed(text: String) {
    #expect(ProcessRecord(parsing: Array(text.utf8)) == nil)
  }

  @Test(
    "an exiting task is known by its state or its flag",
    arguments: [
      ("S", "4194304", false), ("R", "0", false), ("D", "3", false), ("Z", "4194304", true),
      ("X", "0", true), ("R", "4", true), ("S", "4194308", true), ("T", "4194304", false),
    ])
  func exiting(state: String, flags: String, isExiting: Bool) {
    let record = ProcessRecord(
      parsing: Array(Self.line(name: "x", state: state, flags: flags).utf8))
    #expect(record?.isExiting == isExiting)
  }

  @Test("pending signals include those of the task and of the process")
  func pending() {
    let status = "Name:\tcat\nSigQ:\t1/2\nSigPnd:\t0000000000000100\nShdPnd:\t0000000000004000\n"
    let signals = PendingSignals(parsing: Array((status + "SigBlk:\tffffffffffffffff\n").utf8))
    #expect(signals.mask == 0x4100)
    #expect(signals.contains(Signal(rawValue: 9)))
    #expect(signals.contains(Signal(rawValue: 15)))
    #expect(!signals.contains(Signal(rawValue: 1)))
    #expect(!signals.contains(Signal(rawValue: 0)))
    #expect(!signals.contains(Signal(rawValue: 65)))
    #expect(PendingSignals(parsing: []).mask == 0)
  }

  @Test("this process is alive, and no other process has its ID")
  func current() throws {
    let current = try #require(ProcessIdentity.current)
    #expect(current.pid == ProcessIdentity.currentPID)
    #expect(current == ProcessIdentity.of(current.pid))
    #expect(current.liveness == .running)
    #expect(!ProcessIdentity.isEnding(current.pid))
    let earlier = ProcessIdentity(pid: current.pid, startTime: current.startTime - 1)
    #expect(earlier.liveness == .gone)
  }

  @Test("a child is running, then ending after a kill, then gone after it is reaped")
  func life() throws {
    var pipe = try FileDescriptor.pipe()
    let reading = pipe.takeFirst()
    let writing = pipe.takeSecond()
    let child = try ChildProcess.spawn("/bin/cat", descriptors: [0: reading.number])
    let identity = try #require(ProcessIdentity.of(child.pid))
    #expect(identity.isAlive)
    #expect(identity.failureBeforeReaping == nil)
    #expect(!ProcessIdentity.isEnding(child.pid))

    // After the kill, the process is ending, independent of the kernel's progress.
    try child.send(.kill)
    #expect(identity.liveness == .ending)
    #expect(ProcessIdentity.isEnding(child.pid))

    try child.awaitEnd()
    #expect(identity.liveness == .ending)
    #expect(ProcessIdentity.isEnding(child.pid))

    #if !canImport(Darwin)
      #expect(identity.failureBeforeReaping == .signalled(.kill))
    #endif
    #expect(try child.reap() == .signalled(.kill))
    #expect(identity.failureBeforeReaping == nil)
    #expect(identity.liveness == .gone)
    #expect(!identity.isAlive)
    #expect(ProcessIdentity.isEnding(child.pid))
    #expect(ProcessIdentity.of(child.pid) == nil)
    #expect(throws: SystemError(call: "kill", code: .noSuchProcess)) { try child.send(.kill) }
    writing.close()
  }

  #if !canImport(Darwin)
    @Test(
      "the failure of a child is known before it is reaped, and success is not",
      arguments: [(0, nil), (3, .exited(3))] as [(Int, ProcessEnd?)])
    func failure(status: Int, end: ProcessEnd?) throws {
      let child = try ChildProcess.spawn("/bin/sh", ["-c", "exit \(status)"])
      let identity = try #require(ProcessIdentity.of(child.pid))
      try child.awaitEnd()
      #expect(identity.failureBeforeReaping == end)
      _ = try child.reap()
    }
  #endif

  @Test("a stopped child is not ending, until it is killed")
  func stopped() throws {
    var pipe = try FileDescriptor.pipe()
    let reading = pipe.takeFirst()
    let writing = pipe.takeSecond()
    let child = try ChildProcess.spawn("/bin/cat", descriptors: [0: reading.number])
    try child.send(.stop)
    #expect(!ProcessIdentity.isEnding(child.pid))
    try child.send(.kill)
    #expect(ProcessIdentity.isEnding(child.pid))
    #expect(try child.reap() == .signalled(.kill))
    writing.close()
  }
}

#if !canImport(Darwin)
  @Suite("The usage of processes")
  struct ProcessUsageTests {
    @Test("the list has this process and its memory")
    func own() throws {
      let own = try #require(ProcessUsage.all.first { $0.process == .current })
      #expect(own.residentBytes > 1 << 20)
      #expect(own.cpuTime > 0)
      #expect(own.parent == ProcessIdentity.parent(of: own.process.pid))
    }

    @Test("the memory of a process includes its descendants")
    func tree() throws {
      var pipe = try FileDescriptor.pipe()
      let reading = pipe.takeFirst()
      let writing = pipe.takeSecond()
      let shell = try ChildProcess.spawn(
        "/bin/sh", ["-c", "cat; :"], descriptors: [0: reading.number])
      try eventually("the shell has a child", polling: .procFiles) {
        ProcessIdentity.children(of: shell.pid).count == 1
      }
      let child = try #require(ProcessIdentity.children(of: shell.pid).first)
      // Without the file of the kernel.
      #expect(ProcessIdentity.processes(withParent: shell.pid) == [child.pid])
      try eventually("the child has memory", polling: .procFiles) {
        ProcessUsage.residentBytes(ofTree: child.pid) ?? 0 > 0
      }
      let whole = try #require(ProcessUsage.residentBytes(ofTree: shell.pid))
      let part = try #require(ProcessUsage.residentBytes(ofTree: child.pid))
      #expect(whole > part)
      #expect(ProcessUsage.residentBytes(ofTree: shell.pid, listsChildren: false) == whole)
      writing.close()
      _ = try shell.reap()
      #expect(ProcessUsage.residentBytes(ofTree: shell.pid) == nil)
    }
  }
#endif
