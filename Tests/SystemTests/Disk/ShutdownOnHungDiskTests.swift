import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

#if os(Linux)
  /// A disk that accepts writes and whose syncs hang until the test ends the hang. The hang is in a
  /// library between the daemon and the system, so the daemon can be killed meanwhile.
  @Suite(.preload)
  struct ShutdownOnHungDiskTests {
    private let workplace: Workplace
    private let daemon: Daemon
    private let hang: String

    init() throws {
      workplace = try Workplace()
      hang = workplace.file("hang")
      let source = """
        #include <fcntl.h>
        #include <stdlib.h>
        #include <unistd.h>
        int fdatasync(int number) {
          while (access(getenv("DISK_HANGS"), F_OK) == 0) usleep(1000);
          return fsync(number);
        }
        """
      let library = try PreloadedLibrary.compile(workplace.write("hang.c", source), in: workplace)
      daemon = try Daemon(
        workplace, environment: ["LD_PRELOAD": library, "DISK_HANGS": hang])
    }

    private func beginHang() throws { try File.write("".utf8, to: hang) }
    private func endHang() throws { try File.remove(hang) }

    /// A client whose session is not on disk, so that the client has no reply.
    private func unansweredClient() throws -> WireClient {
      let client = try daemon.client()
      try client.send(SceneConnect(name: "packing"))
      try daemon.program.errorLine(containing: "packing connected")
      return client
    }

    private var descriptorDirectory: String { "/proc/\(daemon.pid)/fd" }

    /// The descriptors of the daemon without the files of the journal, which its thread opens and
    /// closes at any time.
    private var descriptors: [String] {
      get throws {
        try Directory.list(descriptorDirectory)
          .compactMap { try? File.destination(ofLink: "\(descriptorDirectory)/\($0)") }
          .filter { !$0.hasPrefix(workplace.state + "/") }.sorted()
      }
    }

    @Test("after a second signal the broker ends, whatever the disk does")
    func twice() throws {
      try beginHang()
      _ = try unansweredClient()
      try daemon.program.send(.terminate)
      try eventually("the socket is gone", polling: .files) { !File.exists(workplace.socket) }
      try daemon.program.send(.terminate)
      #expect(try daemon.program.reap() == .exited(0))
      #expect(try daemon.program.everythingOnErrors().contains("TERM again: ending at once"))
      try endHang()
    }

    @Test("after one signal the broker waits for the disk, and then ends in order")
    func once() throws {
      try beginHang()
      _ = try unansweredClient()
      try daemon.program.send(.terminate)
      try eventually("the socket is gone", polling: .files) { !File.exists(workplace.socket) }
      #expect(ProcessIdentity.of(daemon.pid)?.isAlive == true)
      try endHang()
      #expect(try daemon.program.reap() == .exited(0))
      let again = try Daemon(workplace)
      try again.scenectl("is", "packing unattached")
      #expect(try again.stop().isSuccess)
    }

    @Test("a client that exits while its reply waits for the disk keeps no descriptor open")
    func leaving() throws {
      // The pipe of --ready-fd: scened closes it after the line that the test has read.
      try eventually("scened has closed the pipe of --ready-fd", polling: .procFiles) {
        let name = try? File.destination(ofLink: "\(descriptorDirectory)/3")
        return name?.hasPrefix("pipe:") != true
      }
      let before = try descriptors
      try beginHang()
      do {
        let client = try unansweredClient()
        #expect(try descriptors.count == before.count + 1)
        withExtendedLifetime(client) {}
      }
      try eventually("the descriptor is closed", polling: .procFiles) { try descriptors == before }
      try endHang()
      #expect(try daemon.stop().isSuccess)
    }
  }
#endif
