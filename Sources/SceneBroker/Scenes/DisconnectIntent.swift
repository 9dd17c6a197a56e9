import SceneModel

/// Why a scene moves to its end.
struct DisconnectIntent: Equatable {
  var reason: DisconnectReason
  var cause: DisconnectCause?

  /// A discard and a shutdown cannot be reversed.
  var isIrrevocable: Bool { reason == .discarded || reason == .shutdown }
}
