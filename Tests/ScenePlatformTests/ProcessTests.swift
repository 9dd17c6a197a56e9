import SceneTestSupport
import Testing

@testable import ScenePlatform

@Suite("Child processes")
struct ChildProcessTests {
  @Test("a child reports how it ended")
  func ends() throws {
    #expect(try shell("exit 7").end == .exited(7))
    #expect(try shell("kill -KILL $$").end == .signalled(.kill))
    #expect(try shell("true").end.isSuccess)
    #expect(ProcessEnd.exited(3).shellCode == 3)
    #expect(ProcessEnd.signalled(.terminate).shellCode == 143)
    #expect(ProcessEnd.signalled(.kill).description == "ended by SIGKILL")
    #expect(ProcessEnd.exited(3).description == "exited with status 3")
  }

  @Test("a wait status is decoded")
  func waitStatus() {
    #expect(ProcessEnd(waitStatus: 0x0700) == .exited(7))
    #expect(ProcessEnd(waitStatus: 0xFF00) == .exited(255))
    #expect(ProcessEnd(waitStatus: 0x0009) == .signalled(.kill))
    #expect(ProcessEnd(waitStatus: 0x008B) == .signalled(.segmentationFault))
    #expect(ProcessEnd(waitStatus: 0x137F) == nil)
    #expect(ProcessEnd(waitStatus: 0xFFFF) == nil)
  }

  @Test("a child gets its exact arguments and environment")
  func argumentsAndEnvironment() throws {
    let result = try shell(
      "printf '%s|' \"$A\" \"$PATH\"; env | grep -c ^HOME=",
      environment: ["A": "b=c d", "PATH": "/usr/bin:/bin"])
    #expect(result.output == "b=c d|/usr/bin:/bin|0\n")
    #expect(try shell("printf %s \"$HOME\"").output == Environment["HOME"] ?? "")
  }

  @Test(
    "a detached child gets inherited and added variables and leads its group", Sanitizer.hidesExec)
  func apart() throws {
    var pipe = try FileDescriptor.pipe()
    let reading = pipe.takeFirst()
    let writing = pipe.takeSecond()
    let stray = try FileDescriptor.duplicating(writing.number, from: 60)
    let child = try ChildProcess.spawn(
      "/bin/sh",
      [
        "-c",
        "echo $A; echo ${HOME-none}; echo ${PATH:+path}; for n in 3 4 5 6 7 8 9; do "
          + "eval \"{ true >&$n; } 2>/dev/null\" && echo $n; done; exit 5",
      ], name: "own name", changing: ["A": "added"], inheriting: { $0 == "PATH" || $0 == "A" },
      descriptors: [1: writing.number], workingDirectory: "/", group: 0)
    #expect(ProcessIdentity.record(of: child.pid)?.group == child.pid)
    writing.close()
    stray.close()
    let said = String(decoding: try reading.readToEnd(), as: UTF8.self)
    #expect(said == "added\nnone\npath\n")
    try child.awaitEnd()
    #expect(child.endIfEnded == .exited(5))
    #expect(child.endIfEnded == .exited(5))
    #expect(child.reapIfEnded() == .exited(5))
    #expect(child.reapIfEnded() == nil)
    #expect(child.endIfEnded == nil)
  }

  @Test("processes are found by a variable of their environment")
  func variable() throws {
    let child = try ChildProcess.spawn(
      "/bin/sleep", ["1000"], environment: ["SCENE_SOCKET": "/a/b c"])
    #expect(MarkedProcesses("SCENE_SOCKET", "/a/b c").all.map(\.pid) == [child.pid])
    #expect(MarkedProcesses("SCENE_SOCKET", "/a/b").all == [])
    #expect(child.reapIfEnded() == nil && child.endIfEnded == nil)
    ProcessGroup(child.pid).send(.kill)
    try child.send(.kill)
    #expect(try child.reap() == .signalled(.kill))
    #expect(MarkedProcesses("SCENE_SOCKET", "/a/b c").all == [])
  }

  @Test("a child starts in its working directory", Sanitizer.hidesExec)
  func workingDirectory() throws {
    try withDirectory { directory in
      try File.write("".utf8, to: "\(directory)/here")
      #expect(try shell("ls", workingDirectory: directory).output == "here\n")
      #expect(throws: SystemError.self) { try shell("ls", workingDirectory: "\(directory)/no") }
    }
  }

  @Test("a child gets the named descriptors, also exchanged ones")
  func descriptors() throws {
    var first = try FileDescriptor.pipe()
    var second = try FileDescriptor.pipe()
    let firstReading = first.takeFirst()
    let secondReading = second.takeFirst()
    // Each descriptor has the number of the other's target.
    let three = try first.takeSecond().duplicate(from: 40)
    let four = try second.takeSecond().duplicate(from: three.number + 1)
    let result = try shell(
      "echo one >&8; echo two >&9", descriptors: [8: four.number, 9: three.number])
    #expect(result.end.isSuccess)
    three.close()
    four.close()
    #expect(String(decoding: try firstReading.readToEnd(), as: UTF8.self) == "two\n")
    #expect(String(decoding: try secondReading.readToEnd(), as: UTF8.self) == "one\n")
  }

  @Test(
    "a child inherits no other descriptor, even without close-on-exec",
    .enabled(if: File.exists("/proc/self/fd")))
  func noInheritance() throws {
    var pipe = try FileDescriptor.pipe()
    let leaking = try pipe.takeFirst().duplicate(from: 5)
    try leaking.setCloseOnExec(false)
    let high = try leaking.duplicate(from: 200)
    try high.setCloseOnExec(false)
    // `ls` has one descriptor for the directory.
    let listing = try shell("ls /proc/self/fd", descriptors: [6: leaking.number]).output
    let numbers = listing.split(separator: "\n").compactMap { Int($0) }
    #expect(numbers.count == 5)
    #expect(Set(numbers).isSuperset(of: [0, 1, 2, 6]))
    #expect(!numbers.contains(200))
    #expect(numbers.allSatisfy { $0 < 10 })
    try leaking.setCloseOnExec(true)
    try high.setCloseOnExec(true)
  }

  @Test(
    "a child starts with no signal blocked or ignored, whatever its parent has set",
    .enabled(if: File.exists("/proc/self/status")))
  func signals() throws {
    Signal.ignoreBrokenPipes()
    let output = try shell("grep -E '^Sig(Blk|Ign):' /proc/self/status").output
    let masks = output.split(separator: "\n").compactMap { UInt64($0.suffix(16), radix: 16) }
    // The C library reserves the signals 32 and 33, and programs cannot reset them.
    #expect(masks.map { $0 & ~0x1_8000_0000 } == [0, 0])
  }

  @Test("a child can lead its own process group", Sanitizer.hidesExec)
  func processGroup() throws {
    var pipe = try FileDescriptor.pipe()
    let reading = pipe.takeFirst()
    let writing = pipe.takeSecond()
    let child = try ChildProcess.spawn(
      "/bin/cat", descriptors: [0: reading.number], group: 0)
    try Signal.terminate.send(to: -child.pid)
    #expect(try child.reap() == .signalled(.terminate))
    #expect(throws: SystemError(call: "waitpid", code: .noChild)) { try child.reap() }
    writing.close()
  }

  @Test("a failed start throws", Sanitizer.hidesExec)
  func missing() throws {
    #expect(throws: SystemError(call: "exec", path: "/no/such", code: .notFound)) {
      try ChildProcess.spawn("/no/such")
    }
    let error = #expect(throws: SystemError.self) { try ChildProcess.spawn("no-such-program-1") }
    #expect(error?.isNotFound == true)
    #expect(throws: SystemError.self) {
      try ChildProcess.spawn("/bin/true", descriptors: [3: 9999])
    }
  }

  @Test("a program is found in PATH")
  func search() throws {
    try withDirectory { directory in
      try Directory.make("\(directory)/a")
      try Directory.make("\(directory)/b")
      try File.write("".utf8, to: "\(directory)/a/tool")
      #expect(throws: SystemError.self) {
        try Executable.find("tool", path: "\(directory)/a:\(directory)/b")
      }
      try File.write("".utf8, to: "\(directory)/b/tool")
      try File.setMode("\(directory)/b/tool", 0o700)
      #expect(
        try Executable.find("tool", path: "\(directory)/a:\(directory)/b")
          == "\(directory)/b/tool")
      #expect(try Executable.find("./tool", path: "") == "./tool")
    }
  }
}

@Suite("Foreground jobs")
struct ForegroundJobTests {
  @Test("a foreground job leads its group, gets its descriptors, and reports stops and its end")
  func group() throws {
    var pipe = try FileDescriptor.pipe()
    let reading = pipe.takeFirst()
    let writing = pipe.takeSecond()
    let null = try File.open("/dev/null", .read)
    let child = try ChildProcess.spawn(
      "/bin/sh", ["-c", "cat; echo $$ $A; kill -STOP $$; exit 3"], changing: ["A": "b"],
      descriptors: [0: null.number, 1: writing.number], group: 0, keepsIgnored: true)
    writing.close()
    try child.awaitStop()
    #expect(ProcessGroup(child.pid).members == [child.pid])
    #expect(try child.takeStateChange() == .stopped(.stop))
    #expect(try child.takeStateChange() == nil)
    ProcessGroup(child.pid).send(.continue)
    try child.awaitEnd()
    #expect(try child.takeStateChange() == .ended)
    #expect(try child.takeStateChange() == .ended)
    #expect(try child.reap() == .exited(3))
    let output = String(decoding: try reading.readToEnd(), as: UTF8.self)
    #expect(output == "\(child.pid) b\n")
  }
}
