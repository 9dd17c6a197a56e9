import SceneJSON
import SceneModel
import Testing

@testable import SceneBroker

/// The table of requests: finds a request by its name and reads its parameters.
struct RequestMethodTests {
  /// The error of a request, from a name and parameters in JSON.
  private func refusal(of name: String, _ params: String?) -> BrokerError? {
    let fixture = BrokerFixture()
    let control = fixture.control()
    control.ask(name, params)
    return withExtendedLifetime(fixture) { control.lastError }
  }

  @Test("every method is found by its name", arguments: RequestMethod.all)
  func found(method: RequestMethod) throws {
    let document = JSONDocument()
    try document.read("\"\(method)\"".utf8)
    #expect(RequestMethod.named(document.root)?.message == method.message)
  }

  @Test(
    "no parameters are the same as an empty object, for every method", arguments: RequestMethod.all)
  func noParameters(method: RequestMethod) throws {
    #expect(refusal(of: "\"\(method)\"", nil) == refusal(of: "\"\(method)\"", "{}"))
  }

  @Test("the description names every method with its members, and is JSON")
  func description() throws {
    let document = JSONDocument()
    try document.read(ProtocolDescription.json(limits: Limits()).json.bytes.span)
    let root = document.root
    for method in RequestMethod.all {
      let described = root["methods"]?.member(named: "\(method)")
      #expect(described?["for"]?.string == method.permission.rawValue)
      #expect(described?["params"]?.kind == .object)
    }
    #expect(root["methods"]?.count == RequestMethod.all.count)
    let connect = root["methods"]?.member(named: "scene/connect")?["params"]
    #expect(connect?.member(named: "session?")?.string == "a session identifier (a UUID)")
    let save = root["methods"]?.member(named: "session/saveActivity")?["params"]
    #expect(save?["activity"]?.string == "an activity (an object) or null")
    let callbackCount = CallbackKind.allCases.count
    #expect(root["callbacks"]?.count == callbackCount)
    #expect(root["errors"]?["noHost"]?["code"]?.integer == 1008)
    #expect(root["states"]?["unattached"]?.integer == -1)
    #expect(root["limits"]?["frameBytes"]?.integer == 1 << 20)
  }

  @Test("method names are unique and begin with their subject")
  func methods() {
    let names = RequestMethod.all.map { "\($0)" }
    #expect(Set(names).count == names.count)
    #expect(
      names.allSatisfy { name in
        name == "initialize"
          || ["scene/", "session/", "application/", "event/", "trace/", "broker/"].contains {
            name.hasPrefix($0)
          }
      })
  }

  @Test("a name with escapes is the same name")
  func escaped() throws {
    #expect(refusal(of: #""broker\/p\u0069ng""#, "{}") == nil)
  }

  @Test(
    "any other name is an unknown method",
    arguments: [
      "", "ping", "broker/ping ", "Broker/ping", "broker/pin", "broker/pingg", "initialize\\u0000",
      "scene/willConnect", "é",
    ])
  func unknown(name: String) throws {
    let error = try #require(refusal(of: "\"\(name)\"", "{}"))
    #expect(error.reason == .methodNotFound)
    #expect(error.message.hasSuffix("broker/describe lists the methods"))
  }

  @Test("the error quotes a long name only in part")
  func longName() throws {
    let name = String(repeating: "\\u0001", count: 100_000)
    let error = try #require(refusal(of: "\"\(name)\"", nil))
    #expect(error.message.hasSuffix("broker/describe lists the methods"))
    #expect(error.message.utf8.count < 200)
  }

  @Test(
    "parameters are an object",
    arguments: [("[]", "an array"), ("null", "null"), ("1", "a number")])
  func object(params: String, found: String) throws {
    #expect(
      refusal(of: #""broker/ping""#, params)
        == BrokerError(.invalidParams, "broker/ping: params: expected an object, found \(found)"))
  }

  @Test("wrong parameters name the method and the member")
  func wrong() throws {
    #expect(
      refusal(of: #""scene/connect""#, #"{"resume":{"hold":1}}"#)
        == BrokerError(
          .invalidParams,
          "scene/connect: params.resume.state: missing; expected a state (unattached, "
            + "background, foregroundInactive or foregroundActive)"))
    #expect(
      refusal(of: #""scene/transition""#, nil)
        == BrokerError(
          .invalidParams,
          "scene/transition: params.session: missing; expected a session identifier (a UUID)"))
  }

  @Test("a duplicate key in parameters is an error of the request alone")
  func duplicate() throws {
    #expect(
      refusal(of: #""session/show""#, #"{"name":"a","name":"a"}"#)
        == BrokerError(.invalidParams, "session/show: params.name: given twice"))
  }
}
