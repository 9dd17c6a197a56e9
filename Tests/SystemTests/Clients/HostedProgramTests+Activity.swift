import ScenePlatform
import SceneTestSupport
import Testing

/// The activity file of a `scene` that was killed.
extension HostedProgramTests {
  /// Kills a scene after its program wrote `text`, while the broker has only `n=1`.
  private func killed(writing text: String) throws {
    let go = daemon.workplace.file("go")
    try File.removeIfPresent(go)
    let program = try scene(
      """
      say 1; while ! test -e \(go); do sleep 0.1; done
      printf %s '\(text)' >"$SCENE_ACTIVITY"; echo written; stay
      """)
    try daemon.scenectl("wait", "packing foregroundActive activity.userInfo.n=1")
    try program.send(.stop)
    _ = try daemon.workplace.write("go", "")
    try program.line(containing: "written")
    try program.kill()
    try daemon.scenectl("wait", "packing unattached activity.userInfo.n=1")
  }

  private static let second = #"{"activityType":"x","userInfo":{"n":2}}"#

  /// The directories of activity files, in the session's data directory and among temporary files.
  private func directories() throws -> [String] {
    let data = try daemon.scenectl("data", "packing").dropLast()
    let temporary = try Directory.list(daemon.workplace.path)
    return try Directory.list(String(data)).filter { $0.hasPrefix(".scene-") }
      + temporary.filter { $0.hasPrefix("scene-") }
  }

  @Test("after kill -9 of scene, the session's next scene saves the program's newer activity")
  func savedByNext() throws {
    try killed(writing: Self.second)
    #expect(try directories().count == 1)
    let next = try scene(#"cat "$SCENE_ACTIVITY"; echo; stay"#)
    #expect(try next.line(containing: "activityType").hasSuffix(Self.second))
    try daemon.scenectl("wait", "packing foregroundActive generation=2 activity.userInfo.n=2")
    try next.send(.terminate)
    _ = try next.reap()
    #expect(try next.everythingOnErrors() == "")
    #expect(try directories() == [])
    try daemon.scenectl("is", "packing unattached generation=2")
  }

  @Test("after kill -9 of scene, the session's next scene ends the rest of the program's group")
  func leftover() throws {
    let file = daemon.workplace.file("pids")
    let program = try scene(
      "sleep 1000 & setsid sleep 1000 & echo $! >\(file); echo started $!; stay")
    let other = try #require(
      Int32(try program.line(containing: "started ").split(separator: " ").last ?? ""))
    let session = try daemon.scenectl("show", "packing", "--value", "session")
    let mark = MarkedProcesses("SCENE_SESSION", String(session.dropLast()))
    try eventually("the second sleep leaves the group", polling: .processes) {
      ProcessIdentity.command(of: other) == "sleep 1000"
    }
    try program.kill()
    try daemon.scenectl("wait", "packing unattached")
    let rest = mark.all.filter { ProcessIdentity.command(of: $0.pid) == "sleep 1000" }
    #expect(rest.count == 2)
    let next = try scene("echo next; stay")
    try next.line(containing: "next")
    #expect(rest.filter(\.isAlive).map(\.pid) == [other])
    try Signal.kill.send(to: other)
    try next.send(.terminate)
    _ = try next.reap()
    #expect(try next.everythingOnErrors().contains("ending what its program left: sleep 1000 ("))
  }

  @Test("an activity file never replaces a newer save")
  func superseded() throws {
    try killed(writing: Self.second)
    try daemon.scenectl("save", "packing", "x", #"{"n":3}"#)
    let next = try scene(#"cat "$SCENE_ACTIVITY""#)
    #expect(try next.rest().contains(#""n":3"#))
    #expect(try next.reap().isSuccess)
    try daemon.scenectl("is", "packing generation=2 activity.userInfo.n=3")
    #expect(try directories() == [])
  }

  @Test("an incomplete file is reported, and stays until the session has a newer save")
  func halfWritten() throws {
    try killed(writing: #"{"activityType":"x","#)
    for generation in 1...2 {
      let next = try scene(#"cat "$SCENE_ACTIVITY"; say 5"#)
      #expect(try next.rest().contains(generation == 1 ? #""n":1"# : #""n":5"#))
      #expect(try next.reap().isSuccess)
      let complaint =
        "scene: an earlier run of the program left an activity that cannot be saved: "
        + "the file is not JSON: "
      #expect(try next.everythingOnErrors().hasPrefix(complaint) == (generation == 1))
      #expect(try directories().count == 2 - generation)
      try daemon.scenectl("is", "packing generation=2 activity.userInfo.n=5")
    }
  }

  @Test("a scene that takes over replaces the last activity of the other's program")
  func takenOver() throws {
    let first = try scene("trap 'say 9; exit' TERM; say 1; stay")
    try daemon.scenectl("wait", "packing foregroundActive activity.userInfo.n=1")
    let go = daemon.workplace.file("go")
    let second = try scene(
      "while ! test -e \(go); do sleep 0.1; done; say 2; stay",
      options: ["packing", "--take-over"])
    let errors = try first.everythingOnErrors()
    _ = try first.reap()
    #expect(
      errors.contains(
        "last activity of the program is not saved: the scene has ended (replaced)"), "\(errors)")
    // The second scene has saved the file of the first scene, or its own save replaces that file
    // later.
    _ = try daemon.workplace.write("go", "")
    try daemon.scenectl("wait", "packing foregroundActive activity.userInfo.n=2")
    try second.send(.terminate)
    _ = try second.reap()
    #expect(try scene(#"cat "$SCENE_ACTIVITY""#).rest().contains(#""n":2"#))
    #expect(try directories() == [])
  }

  @Test("an activity file that is too long to read stays when the program is started again")
  func unreadable() throws {
    let program = try scene(
      """
      if test -e "$SCENE_DATA/ran"; then echo again; stay; fi
      touch "$SCENE_DATA/ran"; say 1
      head -c 1100000 /dev/zero >"$SCENE_ACTIVITY"; echo written; stay
      """)
    try program.line(containing: "written")
    for verb in ["background", "reclaim", "activate"] { try daemon.scenectl(verb, "packing") }
    try program.line(containing: "again")
    #expect(try directories().count == 2)
  }

  @Test("a command's scene reports a configuration that does not exist")
  func missingConfiguration() throws {
    let workplace = try Workplace()
    let manifest = try workplace.write(
      "app.json",
      #"{"supportsMultipleScenes":true,"configurations":{"windowApplication":[{"name":"Note"}]}}"#)
    let daemon = try Daemon(workplace, ["--manifest", manifest])
    let outcome = try daemon.run("scene", ["zz", "--configuration", "Nope", "--", "true"])
    #expect(outcome.code == 0)
    #expect(outcome.errors == "scene: there is no configuration Nope; the scene uses Note\n")
  }

  @Test(
    "a program starts without inotify, and its activity is saved",
    .enabled(if: hasUserNamespaces, "needs user namespaces"))
  func withoutInotify() throws {
    let path = try daemon.workplace.write(
      "script", #"echo '{"activityType":"x","userInfo":{"n":1}}' >"$SCENE_ACTIVITY"; sleep 1000"#)
    let program = try daemon.start(
      "unshare",
      ["-Ur", "sh", "-c", Self.leavingNoInotify, "sh", Programs.path("scene")]
        + ["packing", "--", "sh", path],
      environment: ["TMPDIR": daemon.workplace.path])
    try daemon.scenectl("wait", "packing foregroundActive activity.userInfo.n=1")
    try program.send(.terminate)
    _ = try program.reap()
  }

  private static let leavingNoInotify =
    #"echo 0 >/proc/sys/user/max_inotify_instances && exec "$@""#

  private static let hasUserNamespaces =
    (try? RunningProgram.run(
      "unshare", ["-Ur", "sh", "-c", leavingNoInotify, "sh", "true"]))?.code == 0
}
