import JSON
import SceneControlTestSupport
import SceneModel
import Testing

@testable import SceneControl
import SceneWire

@Suite("Sessions by what people call them")
struct SessionSearchTests {
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
    "what cannot be the beginning of an identifier, or is too short for one",
    arguments: [
      "", "5b1", "packing", "5b1a0c7e3", "5b1a-", "5b1a0c7ē",
      "5B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5F0",
    ])
  func notAPrefix(text: String) {
    #expect(IdentifierPrefix(text) == nil)
  }

  @Test("an exact name wins over an identifier that begins so")
  func name() throws {
    let named = summary(7, name: "aaaa")
    let broker = try StubBroker([greeting, result(1, details(named))])
    let found = try broker.connect().find(["aaaa"])
    guard case .found(let session) = found.first else {
      Issue.record("found \(found)")
      return
    }
    #expect(session.identifier == identifier(7))
    #expect(try broker.requests() == [#"session/show {"name":"aaaa"}"#])
  }

  @Test("the only session that begins so is found on the pages of the list")
  func unambiguous() throws {
    let first = SessionList.Reply(sessions: [summary(1), summary(2)], next: identifier(2))
    let second = SessionList.Reply(sessions: [summary(0x33)])
    let broker = try StubBroker([
      greeting, refusal(1, .sessionNotFound), result(2, text(of: first)),
      result(3, text(of: second)), result(4, details(summary(0x33))),
    ])
    let found = try broker.connect().find(["aaaabbbb-0000-0033"])
    #expect(found == [.found(try FoundSession(json: json(details(summary(0x33)))))])
    #expect(
      try broker.requests().dropFirst() == [
        #"session/list {"limit":200}"#,
        #"session/list {"after":"\#(identifier(2))","limit":200}"#,
        #"session/show {"session":"\#(identifier(0x33))"}"#,
      ])
  }

  @Test("an identifier is asked for, without a list")
  func identifierItself() throws {
    let broker = try StubBroker([
      greeting, refusal(1, .sessionNotFound), result(2, details(summary(5, name: "e"))),
    ])
    let word = identifier(5).description.lowercased()
    let found = try broker.connect().find([word])
    guard case .found(let session) = found.first else {
      Issue.record("found \(found)")
      return
    }
    #expect(session.details.summary.name == "e")
    #expect(
      try broker.requests() == [
        #"session/show {"name":"\#(word)"}"#, #"session/show {"session":"\#(identifier(5))"}"#,
      ])
  }

  @Test("several that begin so are all named")
  func ambiguous() throws {
    let list = SessionList.Reply(sessions: [summary(1), summary(2)])
    let broker = try StubBroker([
      greeting, refusal(1, .sessionNotFound), result(2, text(of: list)),
    ])
    #expect(try broker.connect().find(["aaaa"]) == [.ambiguous([identifier(1), identifier(2)])])
  }

  @Test("words are looked for at once, and each finds its own or nothing")
  func several() throws {
    let broker = try StubBroker([
      greeting, result(1, details(summary(1, name: "one"))), refusal(2, .sessionNotFound),
      result(3, details(summary(3, name: "three"))),
    ])
    let connection = try broker.connect()
    let found = try connection.find(["one", "two", "three"])
    #expect(found.count == 3)
    #expect(found[1] == .nothing)
    #expect(try broker.writes().count == 1)
  }

  @Test("an error that is not about the session is thrown")
  func otherError() throws {
    let broker = try StubBroker([greeting, refusal(1, .invalidParams)])
    let connection = try broker.connect()
    let error = #expect(throws: ControlError.self) { try connection.find(["x"]) }
    guard case .refused(let refusal) = error else {
      Issue.record("threw \(String(describing: error))")
      return
    }
    #expect(refusal.is(.invalidParams))
  }
}

private func json(_ text: String) -> RawJSON { RawJSON(unchecked: ContiguousArray(text.utf8)) }
