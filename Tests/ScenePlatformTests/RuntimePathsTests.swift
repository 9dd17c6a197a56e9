import ScenePlatform
import Testing

@Suite("Runtime paths")
struct RuntimePathsTests {
  private struct Row: Sendable {
    var environment: [String: String]
    var socket: String
    var state: String
  }

  private static let home = "/home/ann"
  private static let fallbackSocket = "/home/ann/.local/state/scened/notes/sock"
  private static let fallbackState = "/home/ann/.local/state/scened/notes"

  private static let rows: [Row] = [
    Row(environment: [:], socket: fallbackSocket, state: fallbackState),
    Row(
      environment: ["XDG_RUNTIME_DIR": "/run/user/1000", "XDG_STATE_HOME": "/state"],
      socket: "/run/user/1000/scened/notes.sock", state: "/state/scened/notes"),
    Row(
      environment: ["XDG_RUNTIME_DIR": "/run/user/1000/", "XDG_STATE_HOME": "/state//"],
      socket: "/run/user/1000/scened/notes.sock", state: "/state/scened/notes"),
    Row(
      environment: ["SCENE_SOCKET": "/s", "XDG_RUNTIME_DIR": "/run"], socket: "/s",
      state: fallbackState),
    Row(environment: ["SCENE_SOCKET": "rel"], socket: "rel", state: fallbackState),
    Row(
      environment: ["SCENE_SOCKET": "", "XDG_RUNTIME_DIR": "", "XDG_STATE_HOME": ""],
      socket: fallbackSocket, state: fallbackState),
    Row(
      environment: ["XDG_RUNTIME_DIR": "run", "XDG_STATE_HOME": "./state"],
      socket: fallbackSocket, state: fallbackState),
    Row(
      environment: ["XDG_STATE_HOME": "/state"], socket: fallbackSocket,
      state: "/state/scened/notes"),
  ]

  @Test("the environment sets the paths in this order", arguments: rows)
  private func places(row: Row) throws {
    let places = RuntimePaths(
      application: try ApplicationName("notes"), environment: row.environment, home: Self.home)
    #expect(try places.socket() == row.socket)
    #expect(try places.stateDirectory() == row.state)
    #expect(try places.socket("/asked/for") == "/asked/for")
    #expect(try places.stateDirectory("/asked/for") == "/asked/for")
  }

  @Test("the root can be a home directory")
  func root() throws {
    let places = RuntimePaths(application: .default, environment: [:], home: "/")
    #expect(try places.socket() == "/.local/state/scened/default/sock")
    #expect(try places.stateDirectory() == "/.local/state/scened/default")
  }

  @Test("a command without a login gets the own runtime directory that has the broker's socket")
  func completed() throws {
    try withDirectory { directory in
      try Directory.makeAll(directory + "/scened")
      try File.write("".utf8, to: directory + "/scened/default.sock")
      let found = ["XDG_RUNTIME_DIR": directory]
      for (variables, name, expected) in [
        ([:], "default", found), (["XDG_RUNTIME_DIR": ""], "default", found),
        (["XDG_RUNTIME_DIR": "/run"], "default", ["XDG_RUNTIME_DIR": "/run"]),
        ([:], "notes", [:]),
      ] {
        let completed = RuntimePaths.completed(
          variables, try ApplicationName(name), in: directory)
        #expect(completed == expected)
      }
      #expect(RuntimePaths.completed([:], .default, in: directory + "/none") == [:])
    }
  }

  @Test("the runtime directory contains the socket only without an explicit path")
  func runtimeDirectory() throws {
    let variables = ["XDG_RUNTIME_DIR": "/run"]
    let places = RuntimePaths(application: .default, environment: variables, home: nil)
    #expect(places.runtimeDirectory(nil) == "/run")
    #expect(places.runtimeDirectory("/asked/for") == nil)
    let named = variables.merging(["SCENE_SOCKET": "/s"]) { $1 }
    #expect(
      RuntimePaths(application: .default, environment: named, home: nil).runtimeDirectory(nil)
        == nil)
    #expect(
      RuntimePaths(application: .default, environment: [:], home: nil).runtimeDirectory(nil) == nil)
  }

  @Test("an unknown home directory is an error only for paths in it")
  func homeless() throws {
    let nowhere = RuntimePaths(application: .default, environment: [:], home: nil)
    #expect(throws: EnvironmentError.noHome) { try nowhere.socket() }
    #expect(throws: EnvironmentError.noHome) { try nowhere.stateDirectory() }
    #expect(try nowhere.socket("/asked/for") == "/asked/for")
    let variables = ["XDG_RUNTIME_DIR": "/run", "XDG_STATE_HOME": "/state"]
    let somewhere = RuntimePaths(application: .default, environment: variables, home: nil)
    #expect(try somewhere.socket() == "/run/scened/default.sock")
    #expect(try somewhere.stateDirectory() == "/state/scened/default")
  }

  @Test(
    "an application's name can be part of a path",
    arguments: [
      "default", "a", "com.example.notes", "A_1-b", "_", "9", String(repeating: "x", count: 64),
    ])
  func goodNames(name: String) throws {
    #expect(try ApplicationName(name).rawValue == name)
  }

  @Test(
    "any other name is refused, with the rule that it violates",
    arguments: [
      ("", .length), (String(repeating: "x", count: 65), .length), (".", .start), ("..", .start),
      (".hidden", .start), ("-x", .start), ("a/b", .character), ("a b", .character),
      ("é", .character), ("a\0", .character), ("a\n", .character),
    ] as [(String, EnvironmentError.NameRule)])
  func badNames(name: String, rule: EnvironmentError.NameRule) {
    #expect(throws: EnvironmentError.applicationName(name, rule)) {
      try ApplicationName(name)
    }
  }
}

@Suite("The current process")
struct CurrentProcessTests {
  @Test("the process reports its program, home directory and host")
  func identity() throws {
    #expect(File.exists(try Executable.current()))
    #expect(User.home?.hasPrefix("/") == true)
    #expect(!Host.name.isEmpty)
  }

  @Test("single variables equal those of the whole environment")
  func environment() {
    let all = Environment.all
    #expect(!all.isEmpty)
    for (name, value) in all { #expect(Environment[name] == value) }
    #expect(Environment["NO_SUCH_VARIABLE_HERE"] == nil)
  }

  @Test("an empty command line is an error")
  func arguments() throws {
    #expect(CurrentProcess.name != nil)
    #expect(try CurrentProcess.arguments == Array(CurrentProcess.words.dropFirst()))
    #expect(try CurrentProcess.behindName([[0x61], [0xFF]]) == [[0xFF]])
    #expect(throws: EnvironmentError.noArguments) { try CurrentProcess.behindName([]) }
  }

  @Test("the descriptor limit can rise to the hard limit")
  func limit() {
    let limit = CurrentProcess.raiseDescriptorLimit()
    #expect(limit >= 256)
    #expect(CurrentProcess.raiseDescriptorLimit() == limit)
  }

  @Test("a pipe is no terminal and has no size")
  func terminal() throws {
    var pipe = try FileDescriptor.pipe()
    let number = pipe.takeFirst().release()
    let reading = FileDescriptor(adopting: number)
    #expect(!Terminal.isTerminal(reading.number))
    #expect(Terminal.size(of: reading.number) == nil)
    #expect(Terminal.foregroundGroup(of: reading.number) == nil)
  }
}
