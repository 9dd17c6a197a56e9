import SceneModel

/// Why a scene is on the way to its end.
struct Departure: Equatable {
  var reason: DisconnectReason

  /// A discard and a shutdown cannot be reversed.
  var isFinal: Bool { reason == .discarded || reason == .shutdown }
}
