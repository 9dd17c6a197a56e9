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
    #expect(script.contains("stage"))
    guard isInstalled(shell.rawValue) else { return }
    let result = try run(shell.rawValue, ["-n"], input: script)
    #expect(result.output == "")
    #expect(result.end == .exited(0))
  }

  private static let lines: [(typed: [String], candidates: [String])] = [
    ([""], ["status", "wait", "raise", "rehearse", "store"]),
    (["--theatre", "store", ""], ["status", "wait", "raise", "rehearse", "store"]),
    (["store", ""], ["check", "dump"]), (["-S", "x", "store", "d"], ["check", "dump"]),
    (["--socket", "=", "x", "store", ""], ["check", "dump"]),
    (["--socket=x", "store", ""], ["check", "dump"]), (["-qSx", "store", ""], ["check", "dump"]),
    (["store", "check", "a", ""], ["\tdirectory"]), (["-S", ""], ["\tfile"]),
    (
      ["store", "dump", "-"],
      ["-t", "--theatre", "-S", "--socket", "-j", "--json", "-q", "--quiet", "-h", "--help"]
    ),
    (
      ["--w"],
      [
        "-t", "--theatre", "-S", "--socket", "-j", "--json", "-q", "--quiet", "-h", "--help",
        "--version", "--print-completion", "--print-manual", "--timeout", "--watch", "--by",
      ]
    ),
    (["status", "--by", ""], ["name", "age"]), (["status", "--by", "="], ["name", "age"]),
    (["status", "--by", "=", "a"], ["name", "age"]), (["--by=a"], ["name", "age"]),
    (["raise", "tree", ""], ["tree", "old house", "curtain"]),
    (["raise", "--", "--s"], ["tree", "old house", "curtain"]),
    (
      ["-S", "x", "raise", "--theatre=a", "--speed", "1", ""],
      ["tree", "old house", "--socket=x", "--theatre=a", "curtain"]
    ),
    (["raise", "-Sx", "--", "-S", "y", ""], ["tree", "old house", "--socket=x", "curtain"]),
    (["rehearse", "hamlet", "--", "ech"], ["\tcommand 4"]),
    (["store", "dump", ""], []), (["--", ""], []), (["store", "dump", "--", ""], []),
  ]

  @Test("a program lists the candidates for the last word", arguments: lines)
  func candidates(typed: [String], candidates: [String]) throws {
    let lines = try printed(["--complete"] + typed).split(separator: "\n")
    #expect(
      lines.map { $0.hasPrefix("\t") ? $0 : $0.prefix { $0 != "\t" } } == candidates.map { $0[...] }
    )
  }

  /// The candidates of bash when the program prints these words.
  private func bash(
    _ typed: [String], printing names: String, _ changes: String = ""
  ) throws -> [String] {
    let words = (["stage"] + typed).map { "'\($0)'" }.joined(separator: " ")
    let script =
      sample.completionScript(for: .bash) + """
        stage() { printf '%s\\n' \(names); }
        HOME=/home/ann OTHER='/globe$NAME' NAME=rose
        COMP_WORDS=(\(words))
        COMP_CWORD=\((typed.firstIndex(of: "") ?? typed.count - 1) + 1)
        \(changes)
        _stage
        ((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}"
        [[ ! -e planted ]] || echo 'a word was run'
        exit 0

        """
    let result = try run("bash", ["--norc"], input: script)
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test(
    "bash offers the candidates that the last word begins, and quotes them",
    .enabled(if: isInstalled("bash")),
    arguments: [
      ("", ["tree", "old\\ house", "it\\'s", "\\$\\(touch\\ planted\\)"]), ("t", ["tree"]),
      ("old", ["old\\ house"]), ("old\\ h", ["old\\ house"]), ("\"old h", ["old house"]),
      ("\"$", []), ("--s", []),
    ])
  func bashQuotes(word: String, candidates: [String]) throws {
    let names = #"$'tree\ta description' 'old house' "it's" '$(touch planted)'"#
    #expect(try bash(["raise", word], printing: names) == candidates)
  }

  @Test(
    "bash resolves the words before the program reads them", .enabled(if: isInstalled("bash")),
    arguments: [
      (["-S", #"my\ place"#, "raise", ""], ["-S", "my place", "raise", ""]),
      ([#"-S"my place""#, "raise", ""], ["-Smy place", "raise", ""]),
      (["raise", "--socket", "=", "~/x", ""], ["raise", "--socket", "=", "/home/ann/x", ""]),
      (["-t", "$OTHER/${NAME}x$NAME", ""], ["-t", "/globe$NAME/rosexrose", ""]),
      (["-t", "$(touch planted)", ""], ["-t", "$(touch planted)", ""]),
      (["raise", "", "-S", "x"], ["raise", ""]),
    ])
  func bashResolves(typed: [String], words: [String]) throws {
    let offer = #"_stage_offer() { COMPREPLY+=("<$1>"); }"#
    let found = try bash(typed, printing: #""$@""#, offer)
    #expect(found == (["--complete"] + words).map { "<\($0)>" })
  }

  @Test("bash completes another program's command after --", .enabled(if: isInstalled("bash")))
  func bashCommand() throws {
    let found = try bash(["rehearse", "hamlet", "--", "ech"], printing: #"$'\tcommand 4'"#)
    #expect(found.contains("echo"))
  }

  @Test(
    "fish offers candidates, values of options and commands", .enabled(if: isInstalled("fish")),
    arguments: [
      ("stage rai", "raise\tbring it up"), ("stage --by=na", "--by=name"),
      ("stage rehearse x -- ech", "echo"),
    ])
  func fish(typed: String, candidate: String) throws {
    let script =
      sample.completionScript(for: .fish) + """
        function stage
          contains -- -- $argv; and printf '\\tcommand 4\\n'; or printf 'raise\\tbring it up\\nname\\n'
        end
        complete -C '\(typed)'

        """
    let result = try run("fish", ["--no-config"], input: script)
    #expect(
      result.output.split(separator: "\n").contains { $0.hasPrefix(candidate) }, "\(result.output)")
  }

  @Test("groff accepts the man page", .enabled(if: isInstalled("groff")))
  func manual() throws {
    let page = sample.manualPage(date: "2026-01-31")
    let result = try run("groff", ["-man", "-Tascii", "-ww", "-z"], input: page)
    #expect(result.output == "")
    #expect(result.end == .exited(0))
  }
}
