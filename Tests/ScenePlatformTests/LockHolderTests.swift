import ScenePlatform
import Testing

struct LockHolderTests {
  @Test(
    "a process with the same ID and without the lock is not the holder of the lock",
    .enabled(if: File.exists("/proc/locks")))
  func recycled() throws {
    try withDirectory { directory in
      let file = try File.open("\(directory)/lock", [.read, .write, .create])
      #expect(try file.tryLock())
      #expect(LockHolder(pid: ProcessIdentity.currentPID, socket: "").isAlive)
      let other = try ChildProcess.spawn("sleep", ["1000"])
      #expect(ProcessIdentity.of(other.pid) != nil)
      #expect(!LockHolder(pid: other.pid, socket: "").isAlive)
      try other.send(.kill)
      _ = try other.reap()
    }
  }

  @Test("only a broker that had a second to answer, or a stopped one, has advice that ends it")
  func silence() throws {
    let child = try ChildProcess.spawn("sleep", ["1000"])
    let holder = LockHolder(pid: child.pid, socket: "")
    #expect(holder.adviceOnSilence(after: 999_999_999) == nil)
    #expect(holder.adviceOnSilence(after: 1_000_000_000)?.contains("kill \(child.pid)") == true)
    try child.send(.stop)
    while try child.takeStateChange() == nil {}
    #expect(holder.adviceOnSilence(after: 0)?.hasSuffix("kill -CONT \(child.pid)") == true)
    try child.send(.kill)
    _ = try child.reap()
  }

  @Test(
    "the advice about a holder without a socket states how it listens again",
    .enabled(if: File.exists("/proc/locks")))
  func withoutSocket() throws {
    try withDirectory { directory in
      let socket = "\(directory)/sock"
      let pid = ProcessIdentity.currentPID
      let file = try File.open(LockHolder.file(besideSocket: socket), [.read, .write, .create])
      #expect(try file.tryLock())
      try file.write(LockHolder(pid: pid, socket: socket).text)
      #expect(
        LockHolder.obstacle(atSocket: socket) == """
          scened (process \(pid)) uses that socket
          The socket \(socket) of process \(pid) is missing, so no client can connect. \
          To make it listen there again: kill -HUP \(pid)
          """)
      _ = try File.open(socket, [.write, .create])
      #expect(LockHolder.obstacle(atSocket: socket) == nil)
    }
  }
}
