import SceneModel

/// Where the reply to a request goes, and under which identifier.
struct Requester: Equatable {
  let connection: ConnectionIdentifier
  /// Nil for a request that gets no reply.
  let request: RequestIdentifier?

  /// The requester of a request that outlives its connection: no connection has this number.
  static let disconnected = Requester(connection: ConnectionIdentifier(0), request: nil)
}

/// The values of a request that stay the same each time the broker tries it.
struct Attempt: Equatable {
  var requester: Requester
  /// The identifier of the session that the request may create.
  let identifier: SessionIdentifier
  /// The processes whose end the broker has already queried for this request.
  var queried: [ClientProcess] = []
}
