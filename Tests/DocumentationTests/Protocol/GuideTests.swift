import SceneBroker
import SceneJSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import SceneWire
import Testing

/// Compares the prose and the drawings of the protocol's pages with the program.
struct GuideTests {
  @Test("the page has the addresses of the socket in the order of their use")
  func places() throws {
    let page = try Page.manual("Protocol")
    let listed = page.lines.filter { $0.prefix(1).allSatisfy(\.isNumber) && $0.contains(". ") }
      .compactMap { codeSpans(in: $0).first }
    #expect(listed.count == 4)
    let places = { (environment: [String: String]) in
      RuntimePaths(application: .default, environment: environment, home: "~")
    }
    let runtime = ["XDG_RUNTIME_DIR": "/run/user"]
    #expect(listed[0] == "-S PATH")
    #expect(try places(["SCENE_SOCKET": "/a"]).socket("PATH") == "PATH")
    #expect(listed[1] == "$SCENE_SOCKET")
    #expect(try places(runtime.merging(["SCENE_SOCKET": "/a"]) { $1 }).socket() == "/a")
    let third = listed[2].replacing("$XDG_RUNTIME_DIR", with: "/run/user")
    #expect(try third == places(runtime).socket())
    #expect(try listed[3] == places([:]).socket())
  }

  @Test("the drawing has the life-cycle steps of the rules")
  func line() throws {
    let page = try Page.manual("Protocol-walkthrough")
    let drawing = try #require(page.blocks.first { $0.text.contains("▶") })
    let words = drawing.lines.map { $0.split(whereSeparator: { " ─▶◀".contains($0) }) }
    let states = ActivationState.allCases.sorted()
    #expect(words[1].map(String.init) == states.map(\.rawValue))
    for (index, (lower, upper)) in zip(states, states.dropFirst()).enumerated() {
      #expect(
        words[0][index] == LifecycleTransitions.next(from: lower, toward: upper)?.rawValue ?? "")
      #expect(
        words[3][index] == LifecycleTransitions.next(from: upper, toward: lower)?.rawValue ?? "")
    }
  }

  @Test("the prose has the numbers of the program")
  func numbers() throws {
    let guide = try Page.manual("Protocol").text
    let life = try Page.manual("Protocol-walkthrough").text
    let limits = Limits()
    let budgets = Budgets()
    #expect(guide.contains("at most 1 MiB (`frameBytes`") && limits.frameBytes == 1 << 20)
    #expect(guide.contains("within five seconds") && limits.handshakeSeconds == 5)
    #expect(
      guide.contains("A callback has five seconds (`scene/willConnect` twenty)")
        && budgets.standard == .seconds(5) && budgets.connect == .seconds(20))
    #expect(guide.contains("256 requests may be in flight") && limits.requestsInFlight == 256)
    #expect(
      guide.contains("leaves 1 MiB unread for ten seconds")
        && limits.slowReaderBytes == 1 << 20 && limits.slowReaderSeconds == 10)
    #expect(
      life.contains("For ten seconds after a start") && Interval.reservation == .seconds(10))
    let reference = try Page.manual("Messages").text
    #expect(reference.contains("nested at most 48 deep") && carriedDepth == 48)
    #expect(
      reference.contains("The last three activities") && StoredSession.generationsKept == 3)
  }

  // MARK: - By hand

  private func block(_ language: String) throws -> Page.Block {
    let blocks = try Page.manual("Protocol").blocks.filter { $0.language == language }
    try #require(blocks.count == 1)
    return blocks[0]
  }

  @Test("the Python lines print the output on the page")
  func python() throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    let script = try workplace.write("hello.py", try block("python").text)
    let outcome = try daemon.run("python3", [script])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let page = try Page.manual("Protocol")
    let promise = try #require(page.lines.first { $0.hasPrefix("It prints ") })
    #expect(outcome.output == "\(codeSpans(in: promise)[0])\n")
  }

  @Test("the shell lines send frames that a broker answers")
  func shell() throws {
    let workplace = try Workplace()
    let daemon = try Daemon(workplace)
    // Replaces socat, which is not always installed: sends everything, ends its sending side, and
    // reads to the end.
    let standIn = try workplace.write(
      "socat",
      """
      #!/usr/bin/env python3
      import socket, sys
      kind, path = sys.argv[-1].split(":", 1)
      assert kind == "UNIX-CONNECT", kind
      broker = socket.socket(socket.AF_UNIX)
      broker.connect(path)
      broker.sendall(sys.stdin.buffer.read())
      broker.shutdown(socket.SHUT_WR)
      while data := broker.recv(65536):
          sys.stdout.buffer.write(data)
      """)
    try File.setMode(standIn, 0o700)
    let script = try workplace.write("hello.sh", try block("sh").text)
    let path = Environment.all["PATH"] ?? "/usr/bin:/bin"
    let outcome = try daemon.run(
      "/bin/sh", [script],
      environment: ["PATH": "\(workplace.path):\(path)"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains(#"{"jsonrpc":"2.0","id":1,"result":{"protocol":1,"#))
    #expect(outcome.output.contains(#"{"jsonrpc":"2.0","id":2,"result":{}}"#))
  }
}
