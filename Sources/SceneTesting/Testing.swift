// A test that imports this module needs no second import: the default arguments of its methods use
// a macro of Testing, and its conditions use types of SceneClient.
@_exported public import SceneClient

#if canImport(Testing)
  @_exported public import Testing
#else
  // `--static-swift-stdlib` has no Testing. The module then only compiles; no test uses it.

  /// A place in the source code.
  public struct SourceLocation: Sendable {
    let filePath: String
    let line: Int
  }

  /// The place of the call.
  @freestanding(expression)
  public macro _sourceLocation() -> SourceLocation =
    #externalMacro(module: "TestingMacros", type: "SourceLocationMacro")
#endif
