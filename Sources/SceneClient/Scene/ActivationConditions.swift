package import SceneModel

extension Scene {
  /// The target content identifiers for which a session can be activated. Corresponds to
  /// `UISceneActivationConditions`.
  ///
  /// The broker saves them with the session, so they also apply without a scene.
  public struct ActivationConditions: Hashable, Sendable {
    /// The type of both conditions. Corresponds to `NSPredicate`.
    public typealias Predicate = ScenePredicate

    /// The condition for an activation of the session; by default every identifier. Corresponds to
    /// `UISceneActivationConditions.canActivateForTargetContentIdentifierPredicate`.
    public var canActivateForTargetContentIdentifierPredicate = Predicate(value: true)
    /// The condition under which the session is preferred; by default no identifier. Corresponds to
    /// `UISceneActivationConditions.prefersToActivateForTargetContentIdentifierPredicate`.
    public var prefersToActivateForTargetContentIdentifierPredicate = Predicate(value: false)

    /// Makes the conditions of a session that sets none. Corresponds to
    /// `UISceneActivationConditions.init()`.
    public init() {}

    package init(_ texts: ActivationConditionTexts?) {
      if let text = texts?.canActivate.text {
        canActivateForTargetContentIdentifierPredicate = Predicate(written: text)
      }
      if let text = texts?.prefersToActivate.text {
        prefersToActivateForTargetContentIdentifierPredicate = Predicate(written: text)
      }
    }

    /// The wire form.
    package var texts: ActivationConditionTexts {
      func said(_ predicate: Predicate, _ standard: Bool) -> Patch<String> {
        predicate == Predicate(value: standard) ? .null : .value(predicate.predicateFormat)
      }
      return ActivationConditionTexts(
        canActivate: said(canActivateForTargetContentIdentifierPredicate, true),
        prefersToActivate: said(prefersToActivateForTargetContentIdentifierPredicate, false))
    }
  }
}
