import ScenePlatform
package import Testing

/// The sanitizer of `Tests/sanitize`.
package enum Sanitizer {
  private static let name = Environment["SCENE_SANITIZER"]

  /// Disables a test that has another result under a sanitizer.
  package static func changes(_ reason: Comment) -> ConditionTrait {
    .disabled(if: name != nil, "a sanitizer \(reason)")
  }
}
