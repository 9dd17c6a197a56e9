import SceneCommandLine
import ScenePlatform
import Testing

/// Whether a program is installed.
private func isInstalled(_ program: String) -> Bool {
  (try? Executable.find(program)) != nil
}

/// Runs a program with an input. Returns its output and its end.
private func run(
  _ program: String, _ arguments: [String], input: String
) throws -> (output: String, end: ProcessEnd) {
  let directory = try Directory.makeTemporary(prefix: "completion")
  defer { try? Directory.removeTree(directory) }
  try File.write(input.utf8, to: "\(directory)/input")
  let standardInput = try File.open("\(directory)/input", .read)
  var pipe = try FileDescriptor.pipe()
  let reading = pipe.takeFirst()
  let writing = pipe.takeSecond()
  let child = try ChildProcess.spawn(
    program, arguments,
    descriptors: [0: standardInput.number, 1: writing.number, 2: writing.number])
  writing.close()
  let output = String(decoding: try reading.readToEnd(), as: UTF8.self)
  return (output, try child.reap())
}

@Suite("Completion scripts")
struct CompletionTests {
  @Test("each completion script is valid in its shell", arguments: Shell.allCases)
  func syntax(shell: Shell) throws {
    let script = sample.completionScript(for: shell)
    #expect(script.contains("raise"))
    guard isInstalled(shell.rawValue) else { return }
    let result = try run(shell.rawValue, ["-n"], input: script)
    #expect(result.output == "")
    #expect(result.end == .exited(0))
  }

  private static let bashCases: [(typed: [String], candidates: [String])] = [
    (["ra"], ["raise"]),
    ([""], ["status", "wait", "raise", "rehearse", "store"]),
    (["store", ""], ["check", "dump"]),
    (["-S", "x", "store", "d"], ["dump"]),
    (["--socket", "=", "x", "store", "d"], ["dump"]),
    (["--theatre", "store", "ra"], ["raise"]),
    (["--j"], ["--json"]),
    (["--w"], ["--watch"]),
    (["raise", "--s"], ["--speed", "--socket"]),
    (["status", "--by", ""], ["name", "age"]),
    (["status", "--by", "="], ["name", "age"]),
    (["status", "--by", "=", "a"], ["age"]),
    (["raise", "t"], ["tree"]),
    (["raise", "tree", ""], ["tree", "old\\ house", "it\\'s", "\\$\\(touch\\ planted\\)"]),
    (["raise", "old"], ["old\\ house"]), (["raise", "old\\ h"], ["old\\ house"]),
    (["raise", "\"old h"], ["old house"]), (["raise", "\"$"], []),
    (["store", "dump", ""], []), (["--", ""], []), (["store", "dump", "--", ""], []),
    (["raise", "--", "t"], ["tree"]), (["raise", "--", "--s"], []),
    (["raise", "--", "store", "t"], ["tree"]),
  ]

  @Test(
    "bash completes verbs, options and values", .enabled(if: isInstalled("bash")),
    arguments: bashCases)
  func bash(typed: [String], candidates: [String]) throws {
    let words = (["stage"] + typed).map { "'\($0)'" }.joined(separator: " ")
    let script =
      sample.completionScript(for: .bash) + """
        stage() { printf '%s\\n' tree 'old house' "it's" '$(touch planted)'; }
        COMP_WORDS=(\(words))
        COMP_CWORD=\(typed.count)
        _stage
        ((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}"
        [[ ! -e planted ]] || echo 'a name was run'
        exit 0

        """
    let result = try run("bash", ["--norc"], input: script)
    #expect(result.output.split(separator: "\n").map(String.init) == candidates)
  }

  private static let handedOn: [(typed: [String], given: [String])] = [
    (["raise", ""], []), (["-S", "my\\ place", "raise", ""], ["--socket=my place"]),
    (["-S\"my place\"", "raise", ""], ["--socket=my place"]),
    (
      ["raise", "--socket", "=", "~/x", "--theatre", "a", ""],
      ["--socket=/home/ann/x", "--theatre=a"]
    ),
    (["-t", "$OTHER/${NAME}x$NAME", "raise", ""], ["--theatre=/globe$NAME/rosexrose"]),
    (["-t", "$(touch planted)", "raise", ""], ["--theatre=$(touch planted)"]),
    (["--height", "-S", "raise", ""], []), (["raise", "--", "-S", "x", ""], []),
    (["raise", "", "-S", "x"], []),
  ]

  @Test(
    "bash lists words for what the line is about", .enabled(if: isInstalled("bash")),
    arguments: handedOn)
  func bashHandsOn(typed: [String], given: [String]) throws {
    let words = (["stage"] + typed).map { "'\($0)'" }.joined(separator: " ")
    let place = try #require(typed.firstIndex(of: "")) + 1
    let script =
      sample.completionScript(for: .bash) + """
        stage() { shift 2; (($#)) && printf '%s\\n' "$@"; }
        HOME=/home/ann OTHER='/globe$NAME' NAME=rose
        COMP_WORDS=(\(words))
        COMP_CWORD=\(place)
        _stage_offer() { while IFS= read -r name; do COMPREPLY+=("$name"); done; }
        _stage
        ((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}"
        [[ ! -e planted ]] || echo 'a word was run'
        exit 0

        """
    let result = try run("bash", ["--norc"], input: script)
    #expect(result.output.split(separator: "\n").map(String.init) == given)
  }

  @Test("bash completes another program's command after --", .enabled(if: isInstalled("bash")))
  func bashCommand() throws {
    let script =
      sample.completionScript(for: .bash) + """
        COMP_WORDS=(stage rehearse hamlet -- ech)
        COMP_CWORD=4
        _stage
        printf '%s\\n' "${COMPREPLY[@]}"

        """
    let result = try run("bash", ["--norc"], input: script)
    #expect(result.output.split(separator: "\n").contains("echo"))
  }

  @Test("groff accepts the man page", .enabled(if: isInstalled("groff")))
  func manual() throws {
    let page = sample.manualPage(date: "2026-01-31")
    let result = try run("groff", ["-man", "-Tascii", "-ww", "-z"], input: page)
    #expect(result.output == "")
    #expect(result.end == .exited(0))
  }
}
