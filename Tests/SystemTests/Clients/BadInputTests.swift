import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// Invalid data from clients.
struct BadInputTests {
  private let daemon: Daemon

  init() throws { daemon = try Daemon(Workplace()) }

  @Test(
    "invalid data gets an error, and other clients are served",
    arguments: [
      ("[{}]", ErrorReason.invalidRequest, true),
      (#"{"jsonrpc":"2.0","id":99,"result":{}}"#, .invalidRequest, true),
      (#"{"jsonrpc":"2.0","id":7,"method":"scene/fly","params":{}}"#, .methodNotFound, false),
      (
        #"{"jsonrpc":"2.0","id":7,"method":"session/history","params":{"session":5}}"#,
        .invalidParams, false
      ),
    ])
  func refuses(frame: String, reason: ErrorReason, closes: Bool) throws {
    let bystander = try daemon.client(as: .control)
    let client = try daemon.client()
    try client.send(frame: frame)
    let answer = try client.first { if case .error = $0 { true } else { false } }
    guard case .error(_, let error) = answer else { return }
    #expect(error.reason == reason, "\(error)")
    if closes {
      #expect(try client.next() == nil)
    } else {
      _ = try client.request(Ping())
    }
    _ = try bystander.request(Ping())
  }
}
