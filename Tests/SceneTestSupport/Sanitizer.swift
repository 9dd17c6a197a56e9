// A build of the programs alone also builds this module, and has no module Testing.
#if canImport(Testing)
  import ScenePlatform
  package import Testing

  /// The sanitizer of `Tests/sanitize`.
  package enum Sanitizer {
    private static let name = Environment["SCENE_SANITIZER"]

    /// Disables a test that has another result under a sanitizer, or only under this one.
    package static func changes(_ reason: Comment, only kind: String? = nil) -> ConditionTrait {
      .disabled(if: name != nil && (kind ?? name) == name, "a sanitizer \(reason)")
    }

    /// Disables a test that needs the outcome of the `execve` of a child.
    package static let hidesExec = changes("copies the memory at a vfork", only: "thread")
  }
#endif
