package import SceneModel

extension Scene {
  /// Which target content identifiers a session is for. They are kept with the session, so that
  /// they hold while no scene stands for it.
  public struct ActivationConditions: Hashable, Sendable {
    /// A condition over a target content identifier, in NSPredicate's grammar for `self`:
    /// `TRUEPREDICATE`, `==`, `!=`, `BEGINSWITH`, `ENDSWITH`, `CONTAINS`, `LIKE`, `IN {…}`, `AND`,
    /// `OR`, `NOT`, parentheses.
    public struct Predicate: Hashable, Sendable {
      /// As it is written.
      public let predicateFormat: String

      /// Understands what is written; at most 4 KiB, unless the broker was started with another
      /// limit.
      ///
      /// - Throws: ``SceneError/Code/invalidPredicate``, and at which character what was expected.
      public init(format: String) throws(SceneError) {
        do throws(PredicateError) {
          predicateFormat = try ActivationPredicate(format).description
        } catch {
          throw SceneError(.invalidPredicate, error.description)
        }
      }

      /// For everything, or for nothing.
      public init(value: Bool) { predicateFormat = value ? "TRUEPREDICATE" : "FALSEPREDICATE" }

      /// As the broker has written it, which may know more forms.
      package init(written: String) { predicateFormat = written }

      /// Whether the identifier is one of those it means; false for a form that this version does
      /// not know.
      public func evaluate(with targetContentIdentifier: String) -> Bool {
        do throws(PredicateError) {
          return try ActivationPredicate(predicateFormat).matches(targetContentIdentifier)
        } catch {
          return false
        }
      }
    }

    /// What the session can be activated for; by default everything.
    public var canActivateForTargetContentIdentifierPredicate = Predicate(value: true)
    /// What the session is preferred for, whether or not it can be activated for it otherwise; by
    /// default nothing.
    public var prefersToActivateForTargetContentIdentifierPredicate = Predicate(value: false)

    /// A session's that has said nothing.
    public init() {}

    package init(_ texts: ActivationConditionTexts?) {
      if let text = texts?.canActivate.text {
        canActivateForTargetContentIdentifierPredicate = Predicate(written: text)
      }
      if let text = texts?.prefersToActivate.text {
        prefersToActivateForTargetContentIdentifierPredicate = Predicate(written: text)
      }
    }

    /// As they go over the wire.
    package var texts: ActivationConditionTexts {
      func said(_ predicate: Predicate, _ standard: Bool) -> Presence<String> {
        predicate == Predicate(value: standard) ? .null : .value(predicate.predicateFormat)
      }
      return ActivationConditionTexts(
        canActivate: said(canActivateForTargetContentIdentifierPredicate, true),
        prefersToActivate: said(prefersToActivateForTargetContentIdentifierPredicate, false))
    }
  }
}
