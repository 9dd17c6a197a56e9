package import JSON
package import SceneModel

/// One JSON-RPC object: what it is, before anybody looks at what it says.
package enum Envelope {
  /// Without an identifier it is carried out and not answered.
  case request(RequestIdentifier?, method: JSONValue, params: JSONValue?)
  case result(RequestIdentifier, JSONValue)
  case failure(RequestIdentifier, JSONValue)
}

/// Why a frame's content is not a message: the peer broke the protocol, is told so, and is left.
package struct EnvelopeError: Error, Equatable, Sendable {
  /// The request it belongs to, where that can still be read.
  package var identifier: RequestIdentifier?
  package var error: BrokerError

  init(_ reason: ErrorReason, _ message: String, of identifier: RequestIdentifier? = nil) {
    self.identifier = identifier
    error = BrokerError(reason, message)
  }
}

extension Envelope {
  /// Reads a frame's content into `document`, which the envelope's parts are views of.
  package init(_ content: Span<UInt8>, into document: JSONDocument) throws(EnvelopeError) {
    do throws(JSONError) {
      try document.read(content)
    } catch {
      throw EnvelopeError(.parseError, "the frame is not JSON: \(error)")
    }
    try self.init(document.root)
  }

  private init(_ root: JSONValue) throws(EnvelopeError) {
    guard root.kind == .object else {
      throw EnvelopeError(
        .invalidRequest,
        root.kind == .array
          ? "batches are not taken; send each request in a frame of its own"
          : "a message is an object, not \(root.kind.withArticle)")
    }
    let identifier = try Self.identifier(of: root)
    if let name = root.firstDuplicateName {
      throw EnvelopeError(.invalidRequest, "\(name) is given twice", of: identifier)
    }
    guard root["jsonrpc"]?.equals("2.0") == true else {
      throw EnvelopeError(
        .invalidRequest, "jsonrpc: missing or not \"2.0\"", of: identifier)
    }
    self = try Self.shape(root, identifier)
  }

  private static func identifier(of root: JSONValue) throws(EnvelopeError) -> RequestIdentifier? {
    guard let value = root["id"] else { return nil }
    do throws(MemberError) {
      return try RequestIdentifier(reading: value)
    } catch {
      throw EnvelopeError(.invalidRequest, error.inside("id").description)
    }
  }

  private static func shape(
    _ root: JSONValue, _ identifier: RequestIdentifier?
  ) throws(EnvelopeError) -> Envelope {
    switch (identifier, root["method"], root["result"], root["error"]) {
    case (let identifier, let method?, nil, nil):
      guard method.kind == .string else {
        throw EnvelopeError(
          .invalidRequest, "method: expected a string, found \(method.kind.withArticle)",
          of: identifier)
      }
      return .request(identifier, method: method, params: root["params"])
    case (let identifier?, nil, let result?, nil):
      return .result(identifier, result)
    case (let identifier?, nil, nil, let error?):
      return .failure(identifier, error)
    case (let identifier, nil, nil, nil):
      throw EnvelopeError(
        .invalidRequest, "a message has a method, a result or an error", of: identifier)
    case (nil, nil, _, _):
      throw EnvelopeError(.invalidRequest, "a reply says which request it answers: id is missing")
    case (let identifier, _, _, _):
      throw EnvelopeError(
        .invalidRequest, "a message has only one of method, result and error", of: identifier)
    }
  }
}
