import SceneCommandLine
import ScenePlatform
import Testing

@testable import SceneCommands

struct OpenerTests {
  private static let command = [
    "scene", "a b", "it's", "\"", "line\nline", "-x", "--", "$HOME", "%", "", ";", "x;", "x\\;",
    ";x", "#(x)", "#{pid}",
  ]

  @Test("each opener runs the words of the command as they are", arguments: Opener.builtIn)
  func verbatim(opener: Opener) {
    let words = opener.command(title: "t", Self.command).suffix(Self.command.count)
    // tmux ends its command at a `;` that ends a word, and reads `\;` as `;`.
    let isTmux = opener.name == "tmux"
    let passed = words.map { isTmux && $0.hasSuffix("\\;") ? $0.dropLast(2) + ";" : $0 }
    #expect(passed == Self.command)
    #expect(!isTmux || !words.contains { $0.hasSuffix(";") && !$0.hasSuffix("\\;") })
  }

  @Test(
    "a title is no option, no command and no style of its opener",
    arguments: [
      ("-my 'title'", "-my 'title'"), ("x;", "x\\;"), ("\";", "\"\\;"), ("#(x)", "##(x)"),
      ("#[x]", "#[x]"), ("#(a) \u{1B}]0;b\u{7}", "##(a) \\u001b]0;b\\u0007"), ("##[a]#", "##[a]##"),
      ("a\nb", "a\\nb"), ("%", "%"),
    ])
  func titles(title: String, inTmux: String) {
    for opener in Opener.builtIn {
      let words = opener.command(title: title, [])
      let shown = opener.name == "tmux" ? inTmux : PlainText.escaped(title)
      let options = ["kitty", "foot", "alacritty", "gnome-terminal"]
      guard opener.words.contains(where: { $0.hasSuffix("%") }) else { continue }
      #expect(words.contains(options.contains(opener.name) ? "--title=\(shown)" : shown))
    }
  }

  @Test("an opener of the user keeps its own words, and tmux gets the others in its form")
  func custom() throws {
    let own = try Opener(#"xterm -xrm 'a b' -e"#, [:], hasTmuxSession: { false })
    #expect(own.command(title: "t", ["x;"]) == ["xterm", "-xrm", "a b", "-e", "x;"])
    let tmux = try Opener(#"/usr/bin/tmux a '\;' neww"#, [:], hasTmuxSession: { false })
    #expect(tmux.command(title: "t", ["x;"]) == ["/usr/bin/tmux", "a", "\\;", "neww", "x\\;"])
  }

  @Test(
    "the terminal around the process opens the windows, else an installed one",
    arguments: [
      (["TMUX": "/tmp/x", "KITTY_WINDOW_ID": "1"], "tmux new-window"),
      (["STY": "1.x"], "screen -t"), (["KITTY_WINDOW_ID": "1"], "kitty --detach"),
      (["WEZTERM_PANE": "0", "DISPLAY": ":0"], "wezterm start"),
      (["TERM": "foot-extra"], "foot --title=%"),
      (["ALACRITTY_WINDOW_ID": "1"], "alacritty --title=%"),
      (["GNOME_TERMINAL_SCREEN": "x"], "gnome-terminal --title=%"),
      (["KONSOLE_VERSION": "1"], "konsole -e"), (["XTERM_VERSION": "x"], "xterm -T"),
      (["TERM_PROGRAM": "Apple_Terminal"], "osascript -e"),
      (["TERM_PROGRAM": "iTerm.app"], "osascript -e"),
      (["WAYLAND_DISPLAY": "w"], "foot --title=%"), (["DISPLAY": ":0"], "kitty --detach"),
      ([:], "tmux new-window"),
    ] as [([String: String], String)])
  func detection(environment: [String: String], beginning: String) throws {
    let opener = try Opener.detected(
      in: environment, isInstalled: { _ in true }, hasTmuxSession: { true },
      answers: { _ in true })
    #expect(opener.words.prefix(2).joined(separator: " ") == beginning)
  }

  @Test("a display that does not answer opens no window")
  func deadDisplay() throws {
    let path = try Directory.makeTemporary()
    defer { try? Directory.removeTree(path) }
    let listener = try UnixSocket.listen(at: path + "/wayland")
    func detected(_ environment: [String: String]) throws -> String {
      try Opener.detected(
        in: environment.merging(["XDG_RUNTIME_DIR": path]) { $1 }, isInstalled: { _ in true },
        hasTmuxSession: { true }
      ).name
    }
    #expect(try detected(["WAYLAND_DISPLAY": "wayland"]) == "foot")
    #expect(try detected(["WAYLAND_DISPLAY": path + "/wayland"]) == "foot")
    #expect(try detected(["WAYLAND_DISPLAY": "gone", "KITTY_WINDOW_ID": "1"]) == "tmux")
    #expect(try detected(["WAYLAND_DISPLAY": "gone", "DISPLAY": "far:0"]) == "kitty")
    #expect(try detected(["DISPLAY": path + "/gone:0", "XTERM_VERSION": "x"]) == "tmux")
    _ = listener.number
  }

  @Test("outside tmux, the first window makes a session, and the others open in it")
  func tmux() throws {
    for name in [nil, "tmux"] {
      func opener(hasSession: Bool) throws -> [String] {
        let has = { hasSession }
        let opener = try name.map { try Opener($0, [:], hasTmuxSession: has) }
        return try (opener ?? .detected(in: [:], isInstalled: { _ in true }, hasTmuxSession: has))
          .words
      }
      #expect(try opener(hasSession: false)[1] == "new-session")
      #expect(try opener(hasSession: true)[1] == "new-window")
    }
  }

  @Test("an empty opener is an error")
  func empty() throws {
    let outcome = try Outcome.of(["window", "--with", "", "--", "true"])
    #expect(outcome.code == .usage)
    #expect(outcome.errors.contains("--with: expected an opener, found an empty word"))
  }

  @Test("a terminal that is not installed is not chosen")
  func missing() throws {
    let environment = ["KITTY_WINDOW_ID": "1", "DISPLAY": ":0"]
    func detected(_ isInstalled: (String) -> Bool) throws -> Opener {
      try Opener.detected(
        in: environment, isInstalled: isInstalled, hasTmuxSession: { false },
        answers: { _ in true })
    }
    #expect(try detected { $0 == "xterm" }.name == "xterm")
    let error = #expect(throws: ProgramError.self) { try detected { _ in false } }
    #expect(error?.message.contains("--with or SCENE_OPENER") == true)
    for text in ["xterm '", ""] {
      #expect(throws: ProgramError.self) {
        try Opener(text, [:], hasTmuxSession: { false })
      }
    }
  }
}
