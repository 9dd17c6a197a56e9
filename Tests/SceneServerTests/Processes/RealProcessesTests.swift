import SceneBroker
import SceneModel
import ScenePlatform
import SceneServer
import Testing

/// Signals to real processes.
struct RealProcessesTests {
  @Test(
    "a signal reaches the intended process, and not a later one with the same ID",
    arguments: [true, false])
  func signal(isAnother: Bool) throws {
    var pipe = try FileDescriptor.pipe()
    let held = pipe.takeSecond()
    let input = pipe.takeFirst()
    let process = try ChildProcess.spawn("cat", descriptors: [0: input.number])
    input.close()
    let started = try #require(ProcessIdentity.of(process.pid)).startTime
    let meant = ClientProcess(pid: Int64(process.pid), startTime: started + (isAnother ? 1 : 0))
    #expect(RealProcesses().send("NOSUCH", to: meant) == .unknown)
    #expect(RealProcesses().send("SIGTERM", to: meant) == (isAnother ? .gone : .sent("TERM")))
    held.close()
    #expect(try process.reap() == (isAnother ? .exited(0) : .signalled(.terminate)))
    #expect(RealProcesses().send("TERM", to: meant) == .gone)
  }
}
