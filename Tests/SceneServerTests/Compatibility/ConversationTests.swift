import SceneModel
import SceneTestSupport
import Testing

@testable import SceneBroker

/// Clients of protocol 1 understand every later broker.
///
/// The recordings in `Tests/Golden/conversations` stay as they are. A file with steps and without
/// messages gets the messages of this broker.
@Suite("Recorded conversations of protocol 1")
struct ConversationTests {
  static let names = ["errors", "events", "lifecycle", "routing", "sessions", "tools"]

  @Test("a later broker sends what the recorded broker sent", arguments: names)
  func recorded(name: String) throws {
    let file = "conversations/\(name).txt"
    let text = try GoldenFile.text(file)
    let played = try Conversation(EventLoopFixture(clock: .virtual)).play(text)
    guard text.contains(" < ") else { return try GoldenFile.expect(played, equals: file) }
    #expect(Conversation.differences(from: text, to: played) == [])
  }

  @Test("each method of the protocol is recorded")
  func methods() throws {
    let all = try Self.names.map { try GoldenFile.text("conversations/\($0).txt") }.joined()
    let missing = RequestMethod.all.map(\.description).filter {
      !all.contains("\"method\":\"\($0)\"")
    }
    #expect(missing == [])
  }

  @Test(
    "a removed member, another value and another message are found",
    arguments: [
      (#"1 < {"a":1,"b":[2]}"#, #"1 < {"b":[2]}"#), (#"1 < {"a":1}"#, #"1 < {"a":2}"#),
      (#"1 < {"a":1}"#, #"2 < {"a":1}"#), (#"1 < {"a":[1,2]}"#, #"1 < {"a":[1]}"#),
      ("1 < {}", "1 < {}\n1 < {}"),
    ])
  func differences(old: String, new: String) {
    #expect(Conversation.differences(from: old, to: new).count == 1)
    #expect(Conversation.differences(from: old, to: old) == [])
  }

  @Test("an added member and another text for people are no differences")
  func additions() {
    let old = #"1 < {"error":{"code":1,"message":"no"}}"#
    let new = #"1 < {"error":{"code":1,"message":"never","more":{}}}"#
    #expect(Conversation.differences(from: old, to: new) == [])
  }
}
