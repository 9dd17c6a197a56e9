import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

#if os(Linux)
  /// A disk that takes writes and does not come back from a sync, until it is told to. The hang lies
  /// in a library between the daemon and the system, so that it can be killed while it lasts.
  struct ShutdownOnHungDiskTests {
    private let workplace: Workplace
    private let daemon: Daemon
    private let hang: String

    init() throws {
      workplace = try Workplace()
      hang = workplace.file("hang")
      let source = workplace.file("hang.c")
      let library = workplace.file("hang.so")
      try File.write(
        """
        #include <fcntl.h>
        #include <stdlib.h>
        #include <unistd.h>
        int fdatasync(int number) {
          while (access(getenv("DISK_HANGS"), F_OK) == 0) usleep(1000);
          return fsync(number);
        }
        """.utf8, to: source)
      let compile = #"exec "$(type -P cc clang gcc | head -n 1)" -shared -fPIC -o "$1" "$2""#
      let compiled = try RunningProgram.run(
        "/bin/bash", ["-c", compile, "hang", library, source])
      try #require(compiled.code == 0, "\(compiled.errors)")
      daemon = try Daemon(
        workplace, environment: ["LD_PRELOAD": library, "DISK_HANGS": hang])
    }

    private func beginHang() throws { try File.write("".utf8, to: hang) }
    private func endHang() throws { try File.remove(hang) }

    /// A client whose session is not on the disk, so that it was not told of it yet.
    private func unansweredClient() throws -> WireClient {
      let client = try daemon.connect()
      try client.initialize()
      try client.send(SceneConnect(name: "packing"))
      try daemon.program.errorLine(containing: "packing connected")
      return client
    }

    private var descriptorDirectory: String { "/proc/\(daemon.pid)/fd" }

    /// What the daemon has open, without the files of the journal: its thread opens and closes them
    /// at any time.
    private var descriptors: [String] {
      get throws {
        try Directory.list(descriptorDirectory)
          .compactMap { try? File.destination(ofLink: "\(descriptorDirectory)/\($0)") }
          .filter { !$0.hasPrefix(workplace.state + "/") }.sorted()
      }
    }

    @Test("a second signal ends the broker while the disk hangs")
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

    @Test("after one signal the broker waits for the disk and shuts down in order")
    func once() throws {
      try beginHang()
      _ = try unansweredClient()
      try daemon.program.send(.terminate)
      try eventually("the socket is gone", polling: .files) { !File.exists(workplace.socket) }
      #expect(ProcessIdentity.of(daemon.pid)?.isAlive == true)
      try endHang()
      #expect(try daemon.program.reap() == .exited(0))
      let again = try Daemon(workplace)
      #expect(try again.run("scenectl", ["is", "packing unattached"]).code == 0)
      #expect(try again.stop().isSuccess)
    }

    @Test("a client that exits while its reply waits for the disk leaves no open descriptor")
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
      try eventually("its descriptor is closed", polling: .procFiles) { try descriptors == before }
      try endHang()
      #expect(try daemon.stop().isSuccess)
    }
  }
#endif
