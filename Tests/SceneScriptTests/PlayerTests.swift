import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneScript

/// What a script learns from what a client of it says.
struct PlayerTests {
  /// A client that says these lines, and ends.
  private func player(saying lines: [String]) throws -> Player {
    var output = try FileDescriptor.pipe()
    var input = try FileDescriptor.pipe()
    let read = input.takeFirst()
    let written = output.takeSecond()
    let process = try StagedProcess(
      "/bin/sh", ["-c", #"printf '%s\n' "$@""#, "client"] + lines, environment: [:],
      descriptors: [0: read.number, 1: written.number, 2: written.number])
    written.close()
    let player = try Player(
      "packing", process, input: input.takeSecond(), output: output.takeFirst())
    player.hearToTheEnd(until: SystemClock.monotonic() + ceiling)
    return player
  }

  @Test("one that is asked how it is and has no session any more is about to go")
  func leaving() throws {
    let lines = [
      #"{"callback":"willConnect","session":"S"}"#,
      #"{"error":{"reason":"sessionNotFound","message":"no session S"},"do":"status","id":1}"#,
    ]
    #expect(try player(saying: lines).isLeaving)
    #expect(try !player(saying: [lines[0]]).isLeaving)
  }

  @Test("one that waits to be given a scene stays, though its session is gone")
  func idle() throws {
    let lines = [
      #"{"state":"idle","session":"S","reason":"reclaimed"}"#,
      #"{"error":{"reason":"sessionNotFound","message":"no session S"},"do":"status","id":1}"#,
    ]
    let player = try player(saying: lines)
    #expect(player.isIdle && !player.isLeaving)
  }
}
