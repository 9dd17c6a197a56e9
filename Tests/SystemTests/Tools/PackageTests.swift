import ScenePlatform
import SceneTestSupport
import Testing

/// `scripts/package` with the programs of the tests, and `scenectl integration` where it is
/// installed.
struct PackageTests {
  #if os(Linux)
    @Test("an archive and a Debian package install the same files, without Swift")
    func packages() throws {
      let workplace = try Workplace()
      let made = try RunningProgram.run(
        try Repository.file("scripts/package"),
        ["--programs", Programs.directory(), workplace.file("packages")])
      #expect(made.code == 0, "\(made.errors)")
      let paths = made.output.split(separator: "\n").filter { $0.hasPrefix("made ") }
        .map { String($0.drop { $0 != "/" }) }

      let archive = try #require(paths.first { $0.hasSuffix(".tar.gz") })
      try Self.run("tar", ["-xzf", archive, "-C", workplace.path])
      let name = archive.split(separator: "/").last ?? ""
      let root = workplace.file("root")
      try Self.run(
        workplace.file("\(name.dropLast(".tar.gz".count))/scripts/install"), ["--prefix", root],
        environment: ["PATH": "/usr/bin:/bin"])
      #expect(try InstallTests.files(below: root) == InstallTests.installed)
      try Self.check(root)

      guard Programs.isInstalled("ar") else {
        print("skipped the Debian package, which needs ar")
        return
      }
      let package = try #require(paths.first { $0.hasSuffix(".deb") })
      try Self.run(
        "sh", ["-c", #"cd "$0" && ar x "$1" && tar -xzf data.tar.gz"#, workplace.path, package])
      let files = try InstallTests.files(below: workplace.file("usr"))
        .map { $0.replacing("zsh/vendor-completions", with: "zsh/site-functions") }
      #expect(files.sorted() == InstallTests.installed)
      try Self.check(workplace.file("usr"))
      if Programs.isInstalled("dpkg-deb") {
        #expect(try Self.run("dpkg-deb", ["-f", package, "Package"]) == "scenebroker\n")
      }
    }

    /// Runs a program below the prefix, with and without its scripts.
    private static func check(_ prefix: String) throws {
      let scenectl = prefix + "/bin/scenectl"
      let scripts = prefix + "/share/scenebroker"
      #expect(try run(scenectl, ["--version"]).hasPrefix("scenectl "))
      #expect(try run(scenectl, ["integration"]) == "\(scripts)\n")
      #expect(try run(scenectl, ["integration", "vim"]) == "\(scripts)/scene.vim\n")
      try File.rename(scripts, to: prefix + "/away")
      let missing = try RunningProgram.run(scenectl, ["integration", "vim"])
      #expect(missing.code == 66)
      #expect(
        missing.errors == """
          scenectl: no file scene.vim in \(scripts); install SceneBroker with scripts/install

          """)
    }
  #endif

  @Test(
    "scenectl integration finds the scripts of the clone, for a shell as a line that loads one",
    .enabled(if: !Programs.areInstalled, "installed programs find the installed scripts"),
    arguments: [
      ("bash", "source /scripts/scene.bash"), ("zsh", "source /scripts/scene.zsh"),
      ("fish", "source /scripts/scene.fish"), ("vim", "/scripts/scene.vim"),
      ("python", "/scripts/scene_repl.py"),
    ])
  func clone(program: String, expected: String) throws {
    let printed = try Self.run("scenectl", ["integration", program])
    let scripts = try Repository.file("scripts")
    #expect(printed == expected.replacing("/scripts", with: scripts) + "\n")
  }

  @Test("a wrong command line is refused with the reason")
  func usage() throws {
    let outcome = try RunningProgram.run(try Repository.file("scripts/package"), ["--lto"])
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("scripts/package: unknown option --lto; "), "\(outcome)")
  }

  @discardableResult
  private static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> String {
    let outcome = try RunningProgram.run(program, arguments, environment: environment)
    #expect(outcome.code == 0, "\(program): \(outcome.errors)")
    return outcome.output
  }
}
