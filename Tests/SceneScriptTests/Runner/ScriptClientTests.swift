import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneScript

/// The state of a client, inferred from its output.
struct ScriptClientTests {
  /// A client that prints these lines and exits.
  private func client(output lines: [String]) throws -> ScriptClient {
    let child = try PipedProcess { (descriptors) throws(SystemError) in
      try ManagedProcess(
        "/bin/sh", ["-c", #"printf '%s\n' "$@""#, "client"] + lines, environment: [:],
        descriptors: descriptors)
    }
    let client = ScriptClient("packing", child)
    client.readToEnd(until: SystemClock.monotonic() + ceiling)
    return client
  }

  @Test("a client whose status has no session is about to exit")
  func leaving() throws {
    let lines = [
      #"{"callback":"willConnect","session":"S"}"#,
      #"{"error":{"reason":"sessionNotFound","message":"no session S"},"do":"status","id":1}"#,
    ]
    #expect(try client(output: lines).hasSceneEnded)
    #expect(try !client(output: [lines[0]]).hasSceneEnded)
  }

  @Test("an idle client stays without a session")
  func idle() throws {
    let lines = [
      #"{"state":"idle","session":"S","reason":"reclaimed"}"#,
      #"{"error":{"reason":"sessionNotFound","message":"no session S"},"do":"status","id":1}"#,
    ]
    let client = try client(output: lines)
    #expect(client.isIdle && !client.hasSceneEnded)
  }
}
