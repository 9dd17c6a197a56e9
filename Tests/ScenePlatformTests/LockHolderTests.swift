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
}
