import Testing

@testable import ScenePlatform

@Suite("The settings file of the user")
struct UserSettingsTests {
  @Test("each setting is the value of a variable; comments and empty lines are skipped")
  func settings() throws {
    let text = """
      # my settings
      application = work

        autostart=yes\u{20}
      opener = kitty --hold
      environment =
      """
    #expect(
      try UserSettings.parse(text, "/c") == [
        "SCENE_APPLICATION": "work", "SCENE_AUTOSTART": "1", "SCENE_OPENER": "kitty --hold",
        "SCENE_ENVIRONMENT": "",
      ])
    #expect(
      try UserSettings.parse("# work\r\nautostart = no\r\nopener = tmux\r\n", "/c")
        == ["SCENE_AUTOSTART": "0", "SCENE_OPENER": "tmux"])
    #expect(try UserSettings.parse("", "/c") == [:])
  }

  @Test("only a regular file is read, so that a pipe without a writer is an error")
  func kinds() throws {
    try withDirectory { directory in
      let path = directory + "/file"
      try File.makeFIFO(path)
      for (path, kind) in [(path, "a pipe"), (directory, "a directory"), ("/dev/zero", "a device")]
      {
        let error = #expect(throws: SystemError.self) { try File.readRegular(path) }
        #expect(error?.note == "expected a regular file, found \(kind)")
        #expect(error?.path == path)
      }
      try File.remove(path)
      try File.write([1, 2], to: path)
      #expect(try File.readRegular(path) == [1, 2])
    }
  }

  @Test(
    "an error names the file, the line and what is expected",
    arguments: [
      ("# x\nopen", "/c, line 2: expected NAME = VALUE, found \"open\""),
      (
        "opner = x",
        "/c, line 1: there is no setting \"opner\"; the settings are application, autostart, opener, "
          + "environment, on-hangup, on-activate"
      ),
      ("autostart = maybe", "/c, line 1: autostart: expected yes or no, found \"maybe\""),
    ])
  func errors(text: String, message: String) {
    let error = #expect(throws: EnvironmentError.self) { try UserSettings.parse(text, "/c") }
    #expect(error?.description == message)
  }
}
