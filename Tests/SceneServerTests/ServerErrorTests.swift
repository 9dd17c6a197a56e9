import ScenePlatform
import Testing

@testable import SceneServer

/// What is said of places that cannot be used.
struct ServerErrorTests {
  private func text(of path: String) -> String {
    let system = SystemError(call: "mkdir", path: path, code: .permissionDenied)
    let error = PrivateDirectoryError(path, .system(system))
    return ServerError(error, option: "--state") { _ in "" }.description
  }

  @Test("of a home where nothing can be made it is said how to do without")
  func home() throws {
    let home = try #require(User.home)
    #expect(
      text(of: home + "/.local").hasSuffix(
        ": Permission denied; name other places with -S and --state, or set HOME to a directory of "
          + "yours"))
    #expect(text(of: "/nowhere/x").hasSuffix("; choose another place with --state"))
  }
}
