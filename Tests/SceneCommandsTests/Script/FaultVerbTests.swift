import SceneCommandLine
import SceneControlTestSupport
import Testing

@testable import SceneCommands

@Suite("scenectl fault")
struct FaultVerbTests {
  @Test(
    "asks for what was said",
    arguments: [
      (["--before", "replySent"], #"{"at":"replySent"}"#),
      (["--after", "recordSynced"], #"{"at":"recordSynced","when":"after"}"#),
      (["--disk-full", "on"], #"{"diskFull":true}"#),
      (["--disk-full", "off"], #"{"diskFull":false}"#),
    ])
  func asks(words: [String], params: String) throws {
    let outcome = try Outcome.of(["fault"] + words, [result(1, "{}")])
    #expect(outcome.code == .success)
    #expect(outcome.output + outcome.errors == "")
    #expect(outcome.requests == ["broker/fault \(params)"])
  }

  @Test("waits for the disk no longer than it is told to")
  func timeout() throws {
    let outcome = try Outcome.of(["fault", "--disk-full", "on", "-t", "0"], ending: false)
    #expect(outcome.code == .timedOut)
    #expect(outcome.errors.contains("timed out after 0"))
  }

  @Test(
    "wants exactly one fault", arguments: [[], ["--before", "replySent", "--disk-full", "on"]])
  func one(words: [String]) throws {
    let outcome = try Outcome.of(["fault"] + words, [])
    #expect(outcome.code == .usage)
    #expect(outcome.requests.isEmpty)
  }
}
