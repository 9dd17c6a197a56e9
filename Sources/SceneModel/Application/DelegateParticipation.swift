/// The role of an application delegate in its own process.
package enum DelegateParticipation: String, CaseIterable, Sendable {
  /// The manifest decides. The broker neither asks a connected delegate nor reports discards to it.
  case builtIn
  /// The broker asks a connected delegate. Discards wait for a delegate after the first one
  /// connected.
  case optional
  /// Scenes wait for a delegate at the start.
  case required

  package static let standard = DelegateParticipation.optional
}
