package import SceneJSON
package import SceneModel

/// A JSON-RPC object. Its content is not read.
package enum Envelope {
  /// A request without an identifier gets no reply.
  case request(RequestIdentifier?, method: JSONValue, params: JSONValue?)
  case result(RequestIdentifier, JSONValue)
  case failure(RequestIdentifier, JSONValue)
}

/// Why the content of a frame is no message. The peer gets the error, and the connection closes.
package struct EnvelopeError: Error, Equatable, Sendable {
  /// The request, if its identifier can be read.
  package var identifier: RequestIdentifier?
  package var error: BrokerError
  /// The error with which a broker closes the connection. It answers no request.
  package var closeReason: RemoteError?

  init(_ reason: ErrorReason, _ message: String, of identifier: RequestIdentifier? = nil) {
    self.identifier = identifier
    error = BrokerError(reason, message)
  }
}

extension Envelope {
  /// Reads the content of a frame into `document`. The envelope's values are views of it.
  package init(_ content: Span<UInt8>, into document: JSONDocument) throws(EnvelopeError) {
    do throws(JSONError) {
      try document.read(content)
    } catch {
      throw EnvelopeError(.parseError, "the frame is not JSON: \(error.withoutText)")
    }
    do throws(EnvelopeError) {
      try self.init(document.root)
    } catch {
      var error = error
      error.closeReason = Self.closeReason(document.root)
      throw error
    }
  }

  private static func closeReason(_ root: JSONValue) -> RemoteError? {
    guard root["id"]?.isNull != false, let error = root["error"] else { return nil }
    return RemoteError(reading: error)
  }

  private init(_ root: JSONValue) throws(EnvelopeError) {
    guard root.kind == .object else {
      throw EnvelopeError(
        .invalidRequest,
        root.kind == .array
          ? "batches are not supported; send each request in its own frame"
          : "a message must be an object, not \(root.kind.withArticle)")
    }
    let parts = Parts(of: root)
    let identifier = try Self.identifier(parts.id.map(root.value))
    if parts.needsDuplicateCheck, let name = root.firstDuplicateName {
      throw EnvelopeError(.invalidRequest, "\(name) is given twice", of: identifier)
    }
    guard let version = parts.jsonrpc, root.value(at: version).equals("2.0") else {
      throw EnvelopeError(
        .invalidRequest, "jsonrpc: missing or not \"2.0\"", of: identifier)
    }
    try self.init(parts, root, identifier)
  }

  private static func identifier(_ value: JSONValue?) throws(EnvelopeError) -> RequestIdentifier? {
    guard let value else { return nil }
    do throws(MemberError) {
      return try RequestIdentifier(reading: value)
    } catch {
      throw EnvelopeError(.invalidRequest, error.inside("id").description)
    }
  }

  private init(
    _ parts: Parts, _ root: JSONValue, _ identifier: RequestIdentifier?
  ) throws(EnvelopeError) {
    if let method = parts.method, parts.result == nil, parts.error == nil {
      let method = root.value(at: method)
      guard method.kind == .string else {
        throw EnvelopeError(
          .invalidRequest, "method: expected a string, found \(method.kind.withArticle)",
          of: identifier)
      }
      self = .request(identifier, method: method, params: parts.params.map(root.value))
      return
    }
    switch (identifier, parts.method, parts.result, parts.error) {
    case (let identifier?, nil, let result?, nil):
      self = .result(identifier, root.value(at: result))
    case (let identifier?, nil, nil, let error?):
      self = .failure(identifier, root.value(at: error))
    case (let identifier, nil, nil, nil):
      throw EnvelopeError(
        .invalidRequest, "a message must have a method, a result or an error", of: identifier)
    case (nil, nil, _, _):
      throw EnvelopeError(.invalidRequest, "id: missing; a reply has the id of its request")
    case (let identifier, _, _, _):
      throw EnvelopeError(
        .invalidRequest, "a message must have only one of method, result and error", of: identifier)
    }
  }
}

/// The places of a message's members, found in one pass.
private struct Parts {
  private(set) var jsonrpc: Int?
  private(set) var id: Int?
  private(set) var method: Int?
  private(set) var params: Int?
  private(set) var result: Int?
  private(set) var error: Int?
  /// Whether a member is unknown or appears twice.
  private(set) var needsDuplicateCheck = false

  init(of root: JSONValue) {
    root.forEachMember { name, value in
      let isFirst =
        switch Self.part(named: name, in: root) {
        case .jsonrpc: Self.fill(&jsonrpc, value)
        case .id: Self.fill(&id, value)
        case .method: Self.fill(&method, value)
        case .params: Self.fill(&params, value)
        case .result: Self.fill(&result, value)
        case .error: Self.fill(&error, value)
        case nil: false
        }
      if !isFirst { needsDuplicateCheck = true }
    }
  }

  private static func fill(_ part: inout Int?, _ place: Int) -> Bool {
    guard part == nil else { return false }
    part = place
    return true
  }

  private enum Part: CaseIterable {
    case jsonrpc, id, method, params, result, error

    var name: StaticString {
      switch self {
      case .jsonrpc: "jsonrpc"
      case .id: "id"
      case .method: "method"
      case .params: "params"
      case .result: "result"
      case .error: "error"
      }
    }
  }

  private static func part(named name: Int, in root: JSONValue) -> Part? {
    // The letters as a word. The first letter is the lowest byte.
    switch root.shortText(at: name) {
    case 0x63_7072_6E6F_736A: .jsonrpc
    case 0x6469: .id
    case 0x646F_6874_656D: .method
    case 0x736D_6172_6170: .params
    case 0x746C_7573_6572: .result
    case 0x72_6F72_7265: .error
    // A known name can have escapes.
    default: Part.allCases.first { root.value(at: name).equals($0.name) }
    }
  }
}
