import SceneBroker
import SceneJSON
import SceneModel
import SceneWire

/// Requests that were parsed and not yet given to the broker, at most one of each connection.
///
/// The loop first parses the requests of all connections, then gives all to the broker, and then
/// writes all replies. The code of each step fits the processor's first cache. The code of all
/// three does not.
struct RequestPipeline {
  /// A request without an identifier gets no reply.
  enum ParsedRequest {
    case valid(Connection, RequestIdentifier?, RequestMethod, ClientRequest)
    case invalid(Connection, RequestIdentifier?, BrokerError)
  }

  private var requests: [ParsedRequest?] = []
  private var position = 0
  /// Memory that each message uses again. Method and parameters of an envelope are views of it.
  private let document = JSONDocument()

  var isEmpty: Bool { requests.isEmpty }

  func envelope(of content: Span<UInt8>) throws(EnvelopeError) -> Envelope {
    try Envelope(content, into: document)
  }

  /// Parses the request of an envelope. The connection has no other request in the pipeline.
  mutating func append(
    _ identifier: RequestIdentifier?, method: JSONValue, params: JSONValue?,
    from connection: Connection
  ) {
    do throws(BrokerError) {
      let (row, request) = try ClientRequest.read(method: method, params: params)
      requests.append(.valid(connection, identifier, row, request))
    } catch {
      requests.append(.invalid(connection, identifier, error))
    }
    connection.input.didParseRequest()
  }

  /// Removes and returns the oldest request.
  mutating func next() -> ParsedRequest? {
    guard position < requests.count else {
      requests.removeAll(keepingCapacity: true)
      position = 0
      return nil
    }
    // The element is moved out: a copy retains and releases all that the request holds.
    let request = requests[position].take()
    position += 1
    switch request {
    case .valid(let connection, _, _, _), .invalid(let connection, _, _):
      connection.input.didTakeRequest()
    case nil: break
    }
    return request
  }
}
