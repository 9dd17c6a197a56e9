import SceneJSON
import SceneModel
import SceneWire
import Testing

/// Reads a request from the name of a method and its parameters.
struct RequestReadingTests {
  private func read(_ method: String, _ params: String?) throws -> Result<
    ClientRequest, BrokerError
  > {
    switch try call(method, params) {
    case .success(let call): .success(call.request)
    case .failure(let error): .failure(error)
    }
  }

  private func call(_ method: String, _ params: String?) throws -> Result<
    (method: RequestMethod, request: ClientRequest), BrokerError
  > {
    let (name, content) = (JSONDocument(), JSONDocument())
    try name.read(method.utf8)
    if let params { try content.read(params.utf8) }
    do throws(BrokerError) {
      return .success(
        try ClientRequest.read(method: name.root, params: params == nil ? nil : content.root))
    } catch {
      return .failure(error)
    }
  }

  @Test("every method is found by its name", arguments: RequestMethod.all)
  func found(method: RequestMethod) throws {
    switch try call("\"\(method)\"", nil) {
    case .success(let call):
      #expect(call.method == method)
      #expect(call.request.method == method)
    case .failure(let error):
      #expect(error.reason == .invalidParams)
      #expect(error.message.hasPrefix("\(method): params."))
    }
  }

  @Test("a name with escapes is the same name")
  func escaped() throws {
    #expect(try read(#""broker\/p\u0069ng""#, "{}") == .success(.ping(Ping())))
  }

  @Test(
    "any other name is an unknown method",
    arguments: [
      "", "ping", "broker/ping ", "Broker/ping", "broker/pin", "broker/pingg", "initialize\\u0000",
      "scene/willConnect", "é",
    ])
  func unknown(name: String) throws {
    guard case .failure(let error) = try read("\"\(name)\"", "{}") else {
      Issue.record("\(name) was found")
      return
    }
    #expect(error.reason == .methodNotFound)
    #expect(error.message.hasSuffix("broker/describe lists the methods"))
  }

  @Test("the error quotes a long name only in part")
  func longName() throws {
    let name = String(repeating: "\\u0001", count: 100_000)
    guard case .failure(let error) = try read("\"\(name)\"", nil) else {
      Issue.record("an unknown method was accepted")
      return
    }
    #expect(error.message.hasSuffix("broker/describe lists the methods"))
    #expect(error.message.utf8.count < 200)
  }

  @Test(
    "parameters are an object",
    arguments: [("[]", "an array"), ("null", "null"), ("1", "a number")])
  func object(params: String, found: String) throws {
    #expect(
      try read(#""broker/ping""#, params)
        == .failure(
          BrokerError(.invalidParams, "broker/ping: params: expected an object, found \(found)")))
  }

  @Test("wrong parameters name the method and the member")
  func wrong() throws {
    #expect(
      try read(#""scene/connect""#, #"{"resume":{"hold":1}}"#)
        == .failure(
          BrokerError(
            .invalidParams,
            "scene/connect: params.resume.state: missing; expected a state (unattached, "
              + "background, foregroundInactive or foregroundActive)")))
    #expect(
      try read(#""scene/transition""#, nil)
        == .failure(
          BrokerError(
            .invalidParams,
            "scene/transition: params.session: missing; expected a session identifier (a UUID)")))
  }

  @Test("a duplicate key in parameters is an error of the request alone")
  func duplicate() throws {
    #expect(
      try read(#""session/show""#, #"{"name":"a","name":"a"}"#)
        == .failure(BrokerError(.invalidParams, "session/show: params.name: given twice")))
  }

  @Test(
    "absent parameters mean an empty object",
    arguments: ["broker/ping", "scene/connect", "session/list"])
  func leftOut(method: String) throws {
    #expect(try read("\"\(method)\"", nil) == read("\"\(method)\"", "{}"))
  }
}
