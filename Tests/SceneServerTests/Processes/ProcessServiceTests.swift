import SceneModel
import ScenePlatform
import Testing

@testable import SceneBroker
@testable import SceneServer

/// The processes of clients and of launched programs, as the event loop sees them.
struct ProcessServiceTests {
  private let processes = FakeProcesses()
  private let launcher = FakeLauncher()

  private func service(launches: Bool = true) -> ProcessService {
    ProcessService(
      processes, launcher: launches ? launcher : nil, identifiers: IdentifierGenerator(seed: 1))
  }

  private func request(_ number: UInt64) -> LaunchRequest {
    LaunchRequest(
      identifier: LaunchIdentifier(number: number), session: SessionIdentifier(random: number, 1),
      command: LaunchCommand(words: ["note"]))
  }

  @Test("each launch has a token of its own, and all tokens of a broker have one prefix")
  func tokens() throws {
    var service = service()
    let one = try #require(try service.launch(request(1)))
    let two = try #require(try service.launch(request(2)))
    #expect(launcher.started.map(\.token) == [one.token, two.token])
    #expect(launcher.started.map(\.launch.number) == [1, 2])
    #expect(one.process.pid == 1 && two.process.pid == 2)
    #expect(one.token != two.token)
    let length = LaunchToken.prefixLength
    #expect(one.token.prefix(length) == two.token.prefix(length))
    #expect(one.token.utf8.count == 2 * length)
    var other = ProcessService(
      processes, launcher: launcher, identifiers: IdentifierGenerator(seed: 2))
    let third = try #require(try other.launch(request(3)))
    #expect(third.token.prefix(length) != one.token.prefix(length))
  }

  @Test("a broker without a launcher refuses a launch")
  func noLauncher() throws {
    var service = service(launches: false)
    #expect(try service.launch(request(1)) == nil)
    #expect(ProcessService.refusal == "this broker starts no programs")
  }
}

private final class FakeLauncher: ProgramLauncher {
  private(set) var started: [(launch: LaunchIdentifier, token: String)] = []

  func start(_ request: LaunchRequest, token: String) -> ClientProcess {
    started.append((request.identifier, token))
    return ClientProcess(pid: Int64(started.count), startTime: 1)
  }

  func end(_ launch: LaunchIdentifier) {}

  func endSurvivors(sparing connected: Set<Int64>) {}
}
