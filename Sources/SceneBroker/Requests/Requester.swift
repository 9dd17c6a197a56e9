import SceneModel

/// The connection and the identifier for the reply to a request.
struct Requester: Equatable {
  let connection: ConnectionIdentifier
  /// Nil for a request that gets no reply.
  let request: RequestIdentifier?

  /// The requester of a request that outlives its connection: no connection has this number.
  static let disconnected = Requester(connection: ConnectionIdentifier(0), request: nil)
}
