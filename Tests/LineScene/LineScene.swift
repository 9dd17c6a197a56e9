import SceneApp

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Prints what happens to its scene, and each line that the user types.
final class LineDelegate: TerminalSceneDelegate {
  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) throws {
    if session.name == "unwanted" { throw SceneError(.requestDenied, "not this one") }
  }

  func sceneDidBecomeKey(_ scene: Scene) { say("key: \(scene.session.name ?? "no name")") }

  func sceneDidDisconnect(_ scene: Scene) {
    say("ended: \(scene.disconnectReason.map { "\($0)" } ?? "no reason")")
  }

  /// `open KIND` asks for another scene. `slow` takes longer than the next line needs to arrive.
  /// `block FIFO` blocks the delegate until another process writes to the FIFO.
  func scene(_ scene: Scene, didReceiveLine line: String) async throws {
    say("typed: \(line)")
    if line == "slow" { try await Task.sleep(for: .milliseconds(1)) }
    if line.hasPrefix("block ") { close(open(String(line.dropFirst(6)), O_RDONLY)) }
    guard line.hasPrefix("open "), let application = Self.application else { return }
    var request = SceneRequest(.new)
    request.configuration = String(line.dropFirst(5))
    Task {
      do { try await application.connectScene(request) } catch { say("refused: \(error)") }
    }
  }

  nonisolated(unsafe) static var application: SceneApplication?
}

func say(_ line: String) {
  print(line)
  fflush(nil)
}

/// Parses its own command line: `line-scene NAME CLASS…` asks for the session of this name, with
/// `main`. `--host` in the place of the name asks for none, and `--run` asks with `run`.
@main
enum LineScene {
  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    let classes = words.count > 1 ? Array(words.dropFirst()) : ["*"]
    let delegates = classes.map { ($0, { @Sendable () -> any SceneDelegate in LineDelegate() }) }
    let application = SceneApplication(
      name: "line-scene", delegates: Dictionary(uniqueKeysWithValues: delegates))
    LineDelegate.application = application
    switch words.first {
    case "--host":
      Task {
        for await state in application.connectionStates where state == .connected {
          say("connected")
        }
      }
      await application.main(nil, arguments: [])
    case "--run":
      do {
        try await application.run(SceneRequest(.named("packing")))
      } catch {
        say("thrown: \(error)")
      }
    case let name:
      await application.main(SceneRequest(.named(name ?? "packing")), arguments: [])
    }
  }
}
