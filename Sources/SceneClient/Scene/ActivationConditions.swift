package import SceneModel

extension Scene {
  /// The target content identifiers for which a session can be activated. Corresponds to
  /// `UISceneActivationConditions`.
  ///
  /// The broker saves them with the session, so they also apply without a scene.
  public struct ActivationConditions: Hashable, Sendable {
    /// A condition on a target content identifier. Corresponds to `NSPredicate`.
    ///
    /// The grammar is that of NSPredicate for `self`: `TRUEPREDICATE`, `==`, `!=`, `BEGINSWITH`,
    /// `ENDSWITH`, `CONTAINS`, `LIKE`, `IN {…}`, `AND`, `OR`, `NOT`, parentheses.
    public struct Predicate: Hashable, Sendable {
      /// The text of the condition. Corresponds to `NSPredicate.predicateFormat`.
      public let predicateFormat: String

      /// Parses a condition. Corresponds to `NSPredicate.init(format:)`.
      ///
      /// - Parameter format: the text, at most 4 KiB by default.
      /// - Throws: ``SceneError/Code/invalidPredicate`` with the place of the error and the
      ///   expected text.
      public init(format: String) throws(SceneError) {
        do throws(MemberError) {
          predicateFormat = try ActivationPredicate(format).description
        } catch {
          throw SceneError(.invalidPredicate, error.description)
        }
      }

      /// A condition that is always or never true. Corresponds to `NSPredicate.init(value:)`.
      ///
      /// - Parameter value: the result for every identifier.
      public init(value: Bool) { predicateFormat = value ? "TRUEPREDICATE" : "FALSEPREDICATE" }

      /// The text of the broker, which may have other forms.
      package init(written: String) { predicateFormat = written }
    }

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
