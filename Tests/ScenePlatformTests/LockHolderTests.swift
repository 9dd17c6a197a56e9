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
