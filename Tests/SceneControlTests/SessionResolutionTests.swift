import SceneControlTestSupport
import SceneJSON
import SceneModel
import SceneWire
import Testing

@testable import SceneControl

@Suite("Sessions by name, identifier or prefix")
struct SessionResolutionTests {
  @Test(
    "the beginning of an identifier",
    arguments: [
      ("5b1a", true), ("5B1A0C7E", true), ("5b1a0c7e-3B7", true), ("5b1a0c7e-", true),
      ("5B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5F", true), ("5b1b", false), ("b1a0", false),
    ])
  func prefix(text: String, matches: Bool) throws {
    let prefix = try #require(IdentifierPrefix(text))
    let identifier = try #require(SessionIdentifier("5B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5F"))
    #expect(prefix.matches(identifier) == matches)
  }

  @Test(
    "a word that cannot begin an identifier, or is too short, is no prefix",
    arguments: [
      "", "5b1", "packing", "5b1a0c7e3", "5b1a-", "5b1a0c7ē",
      "5B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5F0",
    ])
  func notAPrefix(text: String) {
    #expect(IdentifierPrefix(text) == nil)
  }

  @Test("all words are resolved at once, and each finds its own session or none")
  func found() throws {
    let one = details(summary(1, name: "one"))
    let three = details(summary(3, name: "three"))
    let broker = try StubBroker([
      greeting, result(1, resolved(one)), refusal(2, .sessionNotFound), result(3, resolved(three)),
    ])
    let connection = try broker.connect()
    let found = try connection.find(["one", "two", "aaaabbbb-0000-0003"])
    #expect(
      found == [
        .found(try FoundSession(json: json(one))), .nothing,
        .found(try FoundSession(json: json(three))),
      ])
    let writes = try broker.writes()
    #expect(writes.count == 1)
    #expect(
      writes[0].suffix(3).compactMap { $0.firstMatch(of: /"word":"([^"]*)"/).map { "\($0.1)" } }
        == ["one", "two", "aaaabbbb-0000-0003"])
  }

  @Test("a session comes with another one whose identifier begins with its name")
  func other() throws {
    let named = details(summary(7, name: "aaaa"))
    let broker = try StubBroker([greeting, result(1, resolved(named, beside: 8))])
    guard case .found(let session) = try broker.connect().find(["aaaa"]).first else {
      Issue.record("not found")
      return
    }
    #expect(session.identifier == identifier(7))
    #expect(session.other == identifier(8))
  }

  @Test("an ambiguous prefix comes with its matches")
  func ambiguous() throws {
    let reply = SessionResolve.Reply(matches: [identifier(1), identifier(2)], count: 2)
    let broker = try StubBroker([greeting, result(1, text(of: reply))])
    #expect(try broker.connect().find(["aaaa"]) == [.ambiguous(reply)])
  }

  @Test("an error that is not about the session is thrown")
  func otherError() throws {
    let broker = try StubBroker([greeting, refusal(1, .invalidParams)])
    let connection = try broker.connect()
    let error = #expect(throws: ControlError.self) { try connection.find(["x"]) }
    #expect(error?.refusal?.is(.invalidParams) == true)
  }
}

private func json(_ text: String) -> RawJSON { RawJSON(unchecked: ContiguousArray(text.utf8)) }
