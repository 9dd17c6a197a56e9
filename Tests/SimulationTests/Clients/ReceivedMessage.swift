import SceneJSON
import SceneModel
import SceneWire

/// A request that a simulated client sent.
struct SentRequest {
  let identifier: RequestIdentifier
  /// Nil if the request is invalid.
  let request: (any RequestMessage)?
  /// When the client sent the request, in ticks of the simulation.
  let tick: Int
}

/// One message of the broker, as a client reads it.
enum ReceivedMessage {
  case reply(SentRequest, BrokerReply)
  case refusal(SentRequest, RemoteError)
  /// An error that answers no request. The broker then closes the connection.
  case farewell(RemoteError)
  case callback(Int64, Callback)
  case notification(BrokerNotification)
}

/// Why a message of the broker is invalid.
struct Unreadable: Error {
  let problem: String
}

extension ReceivedMessage {
  /// Reads the content of a frame. `answered` returns the request with an identifier, and returns
  /// it only once.
  init(
    _ content: Span<UInt8>, answered: (RequestIdentifier) -> SentRequest?
  ) throws(Unreadable) {
    let document = JSONDocument()
    do {
      self = try Self.read(Envelope(content, into: document), answered)
    } catch let error as Unreadable {
      throw error
    } catch let error as EnvelopeError {
      guard let farewell = error.closeReason else { throw Unreadable(problem: "\(error.error)") }
      self = .farewell(farewell)
    } catch {
      throw Unreadable(problem: "an unreadable message: \(error)")
    }
  }

  private static func read(
    _ envelope: Envelope, _ answered: (RequestIdentifier) -> SentRequest?
  ) throws -> ReceivedMessage {
    func said(_ identifier: RequestIdentifier) throws(Unreadable) -> SentRequest {
      if let said = answered(identifier) { return said }
      throw Unreadable(
        problem: "a reply to \(identifier), which has no open request")
    }
    switch envelope {
    case .request(.number(let number)?, let method, let params?):
      guard let callback = try Callback(method: method, params: params) else {
        throw Unreadable(problem: "an unknown callback, \(method.string ?? "")")
      }
      return .callback(number, callback)
    case .request(nil, let method, let params?):
      guard let notification = try BrokerNotification(method: method, params: params) else {
        throw Unreadable(problem: "an unknown notification, \(method.string ?? "")")
      }
      return .notification(notification)
    case .request: throw Unreadable(problem: "a callback without a number or parameters")
    case .failure(let identifier, let error):
      return .refusal(try said(identifier), RemoteError(reading: error))
    case .result(let identifier, let result):
      let said = try said(identifier)
      guard let request = said.request else {
        throw Unreadable(problem: "the broker accepted an invalid request")
      }
      return .reply(said, try type(of: request).readReply(result))
    }
  }
}
