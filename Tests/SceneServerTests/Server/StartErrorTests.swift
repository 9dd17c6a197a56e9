import SceneCommandLine
import ScenePlatform
import Testing

@testable import SceneServer

/// The errors for paths that the server cannot use.
struct StartErrorTests {
  private func text(of path: String) -> String {
    let system = SystemError(call: "mkdir", path: path, code: .permissionDenied)
    let error = PrivateDirectoryError(path, .system(system))
    return ProgramError("cannot keep the state", error, option: "--state") { $0 }.message
  }

  @Test("the error for an unusable home directory names the options that replace it")
  func home() throws {
    let home = try #require(User.home)
    #expect(
      text(of: home + "/.local").hasSuffix(
        ": Permission denied; choose other paths with -S and --state, or set HOME to a directory of "
          + "your own"))
    #expect(
      text(of: "/nowhere/x")
        == "cannot keep the state: mkdir /nowhere/x: Permission denied; choose another path with "
        + "--state")
  }

  @Test("a start tries again while a killed process holds the lock")
  func heldLock() throws {
    var attempts = 0
    let isLocked = try Lock.attempt("/lock", "-S", waits: true) { () throws(SystemError) in
      attempts += 1
      return attempts == 3
    }
    #expect(isLocked)
  }
}
