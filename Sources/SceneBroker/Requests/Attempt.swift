import SceneModel

/// The values of a request that stay the same each time the broker tries it.
struct Attempt: Equatable {
  var requester: Requester
  /// The identifier of the session that the request may create.
  let identifier: SessionIdentifier
  /// The processes whose end the broker has already queried for this request.
  var queried: [ClientProcess] = []
}
