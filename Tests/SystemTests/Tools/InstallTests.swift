import ScenePlatform
import SceneTestSupport
import Testing

/// `scripts/install` in a staging directory, as a packager uses it.
struct InstallTests {
  private static func install(
    _ arguments: [String], in workplace: Workplace, programs: Bool = true
  ) throws -> Outcome {
    let built = try Programs.directory()
    return try RunningProgram.run(
      try Repository.file("scripts/install"),
      ["--destdir", workplace.file("stage"), "--prefix", "/opt/scene & co"] + arguments
        + (programs ? ["--programs", built] : []),
      environment: ["XDG_RUNTIME_DIR": workplace.path])
  }

  /// The regular files below a directory, with their relative paths.
  static func files(below path: String) throws -> [String] {
    let outcome = try RunningProgram.run(
      "find", [path, "-type", "f", "-printf", "%P\n"])
    return outcome.output.split(separator: "\n").map(String.init).sorted()
  }

  #if os(Linux)
    static let installed = [
      "bin/scene", "bin/scenectl", "bin/scened", "bin/scenehandoff",
      "lib/systemd/user/scened-reopen.service",
      "lib/systemd/user/scened.service",
      "lib/systemd/user/scened.socket", "lib/systemd/user/scened@.service",
      "lib/systemd/user/scened@.socket", "lib/systemd/user/scenehandoff.service",
      "share/bash-completion/completions/scene",
      "share/bash-completion/completions/scenectl", "share/bash-completion/completions/scened",
      "share/bash-completion/completions/scenehandoff",
      "share/fish/vendor_completions.d/scene.fish",
      "share/fish/vendor_completions.d/scenectl.fish",
      "share/fish/vendor_completions.d/scened.fish",
      "share/fish/vendor_completions.d/scenehandoff.fish", "share/man/man1/scene.1",
      "share/man/man1/scenectl.1", "share/man/man1/scened.1", "share/man/man1/scenehandoff.1",
      "share/scenebroker/confined.conf", "share/scenebroker/scene.bash",
      "share/scenebroker/scene.fish", "share/scenebroker/scene.go", "share/scenebroker/scene.js",
      "share/scenebroker/scene.py", "share/scenebroker/scene.rs", "share/scenebroker/scene.sh",
      "share/scenebroker/scene.vim", "share/scenebroker/scene.zsh",
      "share/scenebroker/scene_repl.py",
      "share/zsh/site-functions/_scene", "share/zsh/site-functions/_scenectl",
      "share/zsh/site-functions/_scened", "share/zsh/site-functions/_scenehandoff",
    ]

    @Test("an installation has all files, and uninstalling it leaves nothing")
    func everything() throws {
      let workplace = try Workplace()
      let outcome = try Self.install([], in: workplace)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let stage = workplace.file("stage")
      #expect(
        outcome.output.hasSuffix(
          "\n\nStaged in \(stage). The files work when they are in /opt/scene & co.\n"),
        "\(outcome.output)")
      #expect(try Self.files(below: stage) == Self.installed.map { "opt/scene & co/" + $0 })
      let unit = try workplace.read("stage/opt/scene & co/lib/systemd/user/scened.service")
      #expect(
        unit.contains("\nExecStart=\"/opt/scene & co/bin/scened\" -a default $SCENED_OPTIONS\n"))
      let version = try RunningProgram.run(stage + "/opt/scene & co/bin/scenectl", ["--version"])
      #expect(version.output.hasPrefix("scenectl "))
      let removal = try Self.install(["--uninstall"], in: workplace, programs: false)
      #expect(removal.code == 0, "\(removal.errors)")
      #expect(removal.output.contains("Sessions, saved state and settings stay"))
      let left = try RunningProgram.run(
        "find", [stage + "/opt", "-mindepth", "2"])
      #expect(left.output == "")
      let again = try Self.install(["--uninstall"], in: workplace, programs: false)
      #expect(again.output.hasPrefix("nothing  is installed in "))
    }

    @Test("an uninstall stops running instances, also if systemctl lists no unit file")
    func instances() throws {
      let workplace = try Workplace()
      let commands = workplace.file("commands")
      let systemctl = try workplace.write(
        "systemctl",
        """
        #!/bin/sh
        echo "$*" >> '\(commands)'
        case "$*" in
          *list-unit-files*) exit 1 ;;
          *list-units*) echo 'scened@notes.socket loaded active running Socket' ;;
        esac
        """)
      try File.setMode(systemctl, 0o755)
      let install = try Repository.file("scripts/install")
      let prefix = ["--prefix", workplace.file("prefix")]
      let environment = ["PATH": "\(workplace.path):/usr/bin:/bin"]
      let outcome = try RunningProgram.run(
        install, prefix + ["--programs", Programs.directory()], environment: environment)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let removal = try RunningProgram.run(
        install, prefix + ["--uninstall"], environment: environment)
      #expect(removal.code == 0, "\(removal.errors)")
      #expect(removal.output.contains("stop     scened@notes.socket\n"), "\(removal.output)")
      let lines = try workplace.read("commands").split(separator: "\n")
      #expect(lines.contains("--user disable --now scened@notes.socket"))
    }

    @Test("systemd accepts the units", .enabled(if: Programs.isInstalled("systemd-analyze")))
    func units() throws {
      let workplace = try Workplace()
      _ = try Self.install([], in: workplace)
      let directory = workplace.file("stage") + "/opt/scene & co/lib/systemd/user/"
      // The program of a unit must exist at the path in the unit.
      for name in [
        "scened.service", "scened@.service", "scened-reopen.service", "scenehandoff.service",
      ] {
        let text = try workplace.read("stage/opt/scene & co/lib/systemd/user/" + name)
        try File.write(
          text.replacing("/opt/", with: workplace.file("stage") + "/opt/").utf8,
          to: directory + name)
      }
      let environment = ["XDG_RUNTIME_DIR": workplace.path]
      for unit in [
        "scened.service", "scened.socket", "scened@.service", "scened@.socket",
        "scened-reopen.service", "scenehandoff.service",
      ] {
        let outcome = try RunningProgram.run(
          "systemd-analyze",
          ["--user", "verify", "--man=no", directory + unit], environment: environment)
        #expect(outcome.code == 0, "\(unit): \(outcome.output)\(outcome.errors)")
        #expect(outcome.errors == "", "\(unit): \(outcome.errors)")
      }
    }
  #endif

  @Test("a dry run shows the same actions and changes nothing")
  func dryRun() throws {
    let workplace = try Workplace()
    let plan = try Self.install(["--dry-run"], in: workplace)
    #expect(plan.code == 0, "\(plan.errors)")
    #expect(!File.exists(workplace.file("stage")))
    let actions = { (outcome: Outcome) in
      outcome.output.split(separator: "\n").filter { $0.hasPrefix("install ") }
    }
    let planned = actions(plan)
    #expect(planned.contains { $0.hasSuffix("/bin/scened") })
    #expect(try actions(Self.install([], in: workplace)) == planned)
  }

  @Test(
    "a wrong command line is refused with the reason",
    arguments: [
      (["--nonsense"], "unknown argument \"--nonsense\""),
      (["--prefix"], "option --prefix needs a directory"),
      (["--prefix", "here"], "--prefix \"here\" is not an absolute path"),
      (["--destdir="], "option --destdir needs a directory"),
    ])
  func usage(arguments: [String], complaint: String) throws {
    let outcome = try RunningProgram.run(try Repository.file("scripts/install"), arguments)
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("scripts/install: \(complaint)"), "\(outcome.errors)")
  }

  @Test(
    "each script also runs when sh starts it",
    arguments: ["install", "package", "demo", "bench", "docs"])
  func startedBySh(script: String) throws {
    let outcome = try RunningProgram.run(
      "/bin/sh", [try Repository.file("scripts/\(script)"), "--help"])
    #expect(outcome.code == 0)
    #expect(outcome.output.hasPrefix("Usage: scripts/\(script)"), "\(outcome.output)")
    #expect(outcome.errors == "")
  }

  @Test("a directory without the programs is refused before anything is installed")
  func missingPrograms() throws {
    let workplace = try Workplace()
    let outcome = try RunningProgram.run(
      try Repository.file("scripts/install"),
      ["--programs", workplace.path, "--prefix", workplace.file("prefix")])
    #expect(outcome.code == 66)
    #expect(outcome.errors.contains("no program scened in \(workplace.path)"))
    #expect(!File.exists(workplace.file("prefix")))
  }

  @Test(
    "each program prints a man page that groff accepts", .enabled(if: Programs.isInstalled("groff"))
  )
  func manuals() throws {
    let workplace = try Workplace()
    for program in ["scened", "scene", "scenectl", "scenehandoff"] {
      let page = try RunningProgram.run(try Programs.path("scenectl"), ["manual", program])
      #expect(page.code == 0, "\(page.errors)")
      let file = try workplace.write("\(program).1", page.output)
      let outcome = try RunningProgram.run(
        "groff", ["-man", "-Tutf8", "-ww", "-z", file])
      #expect(outcome.errors == "", "\(program)")
    }
  }

  #if os(Linux)
    /// Runs a script in which the user can mount.
    private static let unshared = ["unshare", "-rm", "sh", "-c"]

    private static let canHideProc =
      (try? RunningProgram.run(
        "/usr/bin/env", unshared + ["mount -t tmpfs none /proc"]
      ).code) == 0

    @Test(
      "a static program starts without /proc, with the environment of its caller",
      .enabled(if: canHideProc, "needs a user who can mount in a namespace"))
    func withoutProc() throws {
      let workplace = try Workplace()
      let source = try workplace.write(
        "main.swift",
        """
        import CScenePlatform
        import Glibc
        platform_restore_environment()
        print(getenv("SWIFT_ROOT") == nil ? "started" : "changed")
        """)
      let platform = try Repository.file("Sources/CScenePlatform")
      let object = workplace.file("runtime.o")
      let compiled = try RunningProgram.run(
        "clang",
        ["-c", "-I", platform + "/include", platform + "/Runtime.c", "-o", object])
      try #require(compiled.code == 0, "\(compiled.errors)")
      let program = workplace.file("program")
      let linked = try RunningProgram.run(
        "swiftc",
        [
          "-static-executable", "-I", platform + "/include", source, object, "-o",
          program,
        ])
      try #require(linked.code == 0, "\(linked.errors)")
      let outcome = try RunningProgram.run(
        "/usr/bin/env",
        Self.unshared + [#"mount -t tmpfs none /proc && exec "$0""#, program])
      #expect(outcome.output == "started\n", "\(outcome.errors)")
    }
  #endif

  @Test(
    "bash completes the names of sessions for scene", .enabled(if: Programs.isInstalled("bash")))
  func sessionNames() throws {
    let daemon = try Daemon(Workplace())
    let scene = try daemon.scene("packing")
    defer { withExtendedLifetime(scene) {} }
    let script = """
      eval "$(scenectl completion bash)"
      COMP_WORDS=(scene p) COMP_CWORD=1
      _scene
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let outcome = try daemon.run(
      "bash", ["--norc", "-c", script],
      environment: ["PATH": Programs.searchPath()])
    #expect(outcome.output == "packing\n", "\(outcome.errors)")
  }
}
