import SceneModel
import Testing

/// Which windows `scenectl reopen` opens again.
struct DisconnectOutcomeTests {
  @Test(
    "a program that its user ends closes the window, and a lost one does not",
    arguments: [
      (ClientExit(status: 1), true), (ClientExit(status: 127), true),
      (ClientExit(status: 128), true), (ClientExit(status: 130), true),
      (ClientExit(status: 193), true), (ClientExit(signal: "INT"), true),
      (ClientExit(status: 141), true), (ClientExit(signal: "PIPE"), true),
      (ClientExit(status: 255), false), (ClientExit(status: 129), false),
      (ClientExit(status: 137), false), (ClientExit(status: 192), false),
      (ClientExit(signal: "KILL"), false), (ClientExit(signal: "HUP"), false),
    ])
  func exits(exit: ClientExit, isByUser: Bool) {
    #expect(DisconnectOutcome(reason: .connectionLost, exit: exit).isByUser == isByUser)
  }

  @Test("a program that fails to start leaves its window open, if no user typed the command")
  func failedStart() {
    var exit = ClientExit(status: 1)
    #expect(exit.failsStart(after: 29_999_999_999) && !exit.failsStart(after: 30_000_000_000))
    #expect(!ClientExit(status: 0).failsStart(after: 0))
    #expect(!ClientExit(signal: "KILL").failsStart(after: 0))
    exit.failedStart = true
    #expect(!DisconnectOutcome(reason: .connectionLost, exit: exit).isByUser)
    #expect(exit.description == "exited with status 1 within 30 s of its start")
  }

  @Test(
    "the reason tells whether the user closed the window",
    arguments: [
      (.clientRequest, true), (.discarded, true), (.connectionLost, false), (.refused, false),
      (.shutdown, false), (.watchdog, false), (.replaced, false), (.reclaimed, false),
    ] as [(DisconnectReason, Bool)])
  func reasons(reason: DisconnectReason, isByUser: Bool) {
    #expect(DisconnectOutcome(reason: reason).isByUser == isByUser)
    #expect(!DisconnectOutcome(reason: reason, cause: .hangup).isByUser || reason == .discarded)
  }
}
