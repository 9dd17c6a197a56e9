import SceneCommandLine
import SceneControl
import SceneControlTestSupport
import SceneModel
import ScenePlatform
import Testing

@testable import SceneCommands

@Suite("A broker that is not there")
struct MissingBrokerTests {
  @Test("a missing broker is said, with how to start one")
  func noBroker() {
    var errors = ""
    let console = Console { (stream, bytes) in
      if stream == .error { errors += String(decoding: bytes, as: UTF8.self) }
    }
    let code = Scenectl.run(
      ["-a", "notes", "-S", "/nowhere/sock", "status"], environment: [:], console: console)
    #expect(code == .noBroker)
    #expect(
      errors == """
        scenectl: no broker runs for application notes: there is no socket at /nowhere/sock
        To start one whenever it is needed, use --start, or set SCENE_AUTOSTART=1
        Start one with: scened -a notes -S /nowhere/sock &

        """)
    errors = ""
    _ = Scenectl.run(["-S", "/no where/sock", "status"], environment: [:], console: console)
    #expect(errors.hasSuffix("Start one with: scened -S '/no where/sock' &\n"), "\(errors)")
  }

  @Test(
    "what is no broker now, or never, is told apart from one that is missing",
    arguments: [
      (
        ControlError.system(SystemError(call: "connect", path: "/x", code: .tryAgain)),
        ExitCode.tryAgain,
        "cannot connect to /x: too many clients wait; try again later"
      ),
      (
        .noBroker(
          path: "/x", SystemError(call: "connect", code: .notASocket, note: "it is a directory")),
        .noBroker, "no broker can listen at /x: it is a directory"
      ),
      (
        .system(SystemError(call: "connect", path: "/x", code: .permissionDenied)), .notAllowed,
        "connect /x: Permission denied"
      ),
    ])
  func notThere(error: ControlError, code: ExitCode, message: String) {
    var errors = ""
    let console = Console { (stream, bytes) in
      if stream == .error { errors += String(decoding: bytes, as: UTF8.self) }
    }
    let outcome = Scenectl.run(["-S", "/x", "status"], environment: [:], console: console) {
      (_, _, _) throws(ControlError) in throw error
    }
    #expect(outcome == code)
    #expect(errors == "scenectl: \(message)\n")
  }

  @Test("a broker of another application is not acted on")
  func stranger() throws {
    let outcome = try Outcome.of(
      ["-a", "notes", "-S", "/x", "background", "packing"],
      [result(1, resolved(details(summary(1, name: "packing"))))])
    #expect(outcome.code == .noBroker)
    #expect(
      outcome.errors == """
        scenectl: the broker serves the application default, not notes
        That broker listens on /x, the value of -S.
        To use that broker, omit -a notes; for the broker of notes, omit -S, or name its socket

        """)
    #expect(outcome.requests.isEmpty)
    let named = try Outcome.of(
      ["-a", "notes", "status"], environment: ["SCENE_SOCKET": "/y"])
    #expect(named.errors.contains("/y, the value of SCENE_SOCKET."))
    #expect(named.errors.hasSuffix("name its socket with -S, or run: unset SCENE_SOCKET\n"))
  }

  @Test("a broker of another application in the place of the first one is refused as well")
  func laterStranger() throws {
    let stranger = try StubBroker([
      greeting.replacing(#""name":"default""#, with: #""name":"other""#)
    ])
    let outcome = try Outcome.of(
      ["-a", "default", "-S", "/x", "settle"], reconnectingTo: .success(stranger))
    #expect(outcome.code == .noBroker)
    #expect(
      outcome.errors == """
        scenectl: the broker serves the application other, not default
        That broker listens on /x, the value of -S.
        To use that broker, omit -a default; for the broker of default, omit -S, or name its socket

        """)
    #expect(try stranger.requests().isEmpty)
  }

  @Test("the message about the next broker states why it does not take the connection")
  func obstacles() throws {
    let absence = ControlError.noBroker(
      path: "/x", SystemError(call: "connect", code: .connectionRefused))
    let outcome = try Outcome.of(
      ["-S", "/x", "settle"],
      reconnectingTo: .success(try StubBroker([refusal(0, .tooMany)])),
      .failure(.timedOut), .failure(absence), .success(try StubBroker([greeting, result(1)])))
    #expect(outcome.code == .success)
    #expect(
      outcome.errors == """
        scenectl: the broker at /x refuses the connection: no: tooMany; trying again
        scenectl: the broker at /x does not answer; trying again
        scenectl: the broker at /x has ended; waiting for the next one

        """)
  }

  @Test("the hint of a login shell also waits at most 200 ms to connect")
  func hint() {
    let start = SystemClock.monotonic()
    var deadlines: [Int64] = []
    let code = Scenectl.run(
      ["-S", "/x", "reopen", "--hint"], environment: [:],
      console: Console { _, _ in }
    ) { (_, _, deadline) throws(ControlError) in
      deadlines.append(deadline)
      throw .timedOut
    }
    #expect(code == .success)
    let end = SystemClock.monotonic()
    #expect(deadlines.count == 1)
    #expect(deadlines.allSatisfy { (start...end).contains($0 - 200_000_000) })
  }

  @Test("a broker that goes in between is no broker")
  func gone() throws {
    let outcome = try Outcome.of(["settle"])
    #expect(outcome.code == .noBroker)
    #expect(outcome.errors.contains("closed the connection\n"))
  }
}
