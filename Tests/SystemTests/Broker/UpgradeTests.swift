import SceneJSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

#if os(Linux)
  /// `scenectl upgrade` with real processes.
  @Suite("Upgrade of the broker")
  struct UpgradeTests {
    private let workplace: Workplace
    private let program: String

    init() throws {
      workplace = try Workplace()
      program = workplace.file("scened")
      try install()
    }

    /// Puts the program at its path.
    private func install() throws {
      let linked = try RunningProgram.run("cp", [try Programs.path("scened"), program])
      guard linked.code == 0 else { throw Unmet(linked.errors) }
    }

    /// Replaces the program by a script. `$SCENED` is the real one.
    private func replace(by script: String) throws {
      try File.remove(program)
      _ = try workplace.write("scened", "#!/bin/sh\n\(script)\n")
      #expect(try RunningProgram.run("chmod", ["755", program]).code == 0)
    }

    private func daemon(
      _ options: [String] = [], environment: [String: String] = [:],
      descriptors: [Int32: Int32] = [:]
    ) throws -> Daemon {
      let programs = ["PROGRAM": program, "SCENED": try Programs.path("scened")]
      return try Daemon(
        workplace, options, environment: programs.merging(environment) { $1 },
        wrapper: ["/bin/sh", "-c", #"shift; exec "$PROGRAM" "$@""#, "sh"],
        descriptors: descriptors)
    }

    private func upgrade(_ daemon: Daemon, _ words: String...) throws -> Outcome {
      try daemon.run("scenectl", ["upgrade"] + words)
    }

    @Test("scenes resume without a callback, in the same process, and no other broker gets a lock")
    func resume() throws {
      let daemon = try daemon(environment: ["TMPDIR": "/nonexistent"])
      let scene = try daemon.scene("notes")
      try daemon.scenectl("save", "notes", #"com.example.note={"line":1}"#)
      let before = try daemon.scenectl("show", "notes", "--value", "generation")
      for _ in 1...3 {
        let outcome = try upgrade(daemon)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("; 1 scene resumed"), "\(outcome.output)")
        #expect(try scene.lines(upTo: "has resumed").allSatisfy { !$0.hasPrefix("  ") })
      }
      #expect(try daemon.scenectl("show", "notes", "--value", "generation") == before)
      let status = try daemon.scenectl("status", "--json")
      #expect(status.contains(#""pid":\#(daemon.pid),"#), "\(status)")
      #expect(status.contains(#""previous":{"version":""#), "\(status)")
      #expect(try daemon.scenectl("trace").contains("upgraded"))
      let second = try RunningProgram.run("scened", workplace.words)
      #expect(second.code == 69, "\(second.errors)")
      // The leash still ends the broker, and the socket is removed.
      try daemon.scenectl("shutdown")
      #expect(!File.exists(workplace.socket))
    }

    @Test(
      "a program that cannot take over is refused, and the broker goes on",
      arguments: [
        ("exit 3", "exited with status 3"), ("kill -SEGV $$", "SEGV"),
        ("exit 0", "has not checked the state"),
        ("echo 'no such format' >&2; exit 65", "no such format"),
        (#"exec "$SCENED" "$@" --limit none=1"#, "unknown limit"),
      ])
    func refused(script: String, reason: String) throws {
      let daemon = try daemon()
      let scene = try daemon.scene("notes")
      try replace(by: script)
      for words in [[], ["--dry-run"]] {
        let outcome = try daemon.run("scenectl", ["upgrade"] + words)
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(outcome.errors.contains("cannot take over"), "\(outcome.errors)")
      }
      try daemon.scenectl("is", "notes foregroundActive")
      try install()
      #expect(try upgrade(daemon).code == 0)
      try scene.line(containing: "has resumed")
    }

    @Test("a scene that ends during the check is not awaited")
    func endedScene() throws {
      let daemon = try daemon()
      _ = try daemon.scene("notes")
      let scenectl = "\(try Programs.path("scenectl")) -S \(workplace.socket)"
      try replace(
        by: """
          case "$*" in *--check-upgrade*)
            \(scenectl) kill notes && \(scenectl) wait 'notes unattached' ;;
          esac
          exec "$SCENED" "$@"
          """)
      let outcome = try upgrade(daemon)
      #expect(outcome.output.contains("; 0 scenes resumed"), "\(outcome)")
    }

    @Test("an upgrade that would lose the sessions of a broker in memory is refused")
    func inMemory() throws {
      let daemon = try daemon(["--durability", "none"])
      let outcome = try upgrade(daemon)
      #expect(outcome.code == 77)
      #expect(outcome.errors.contains("--durability none"), "\(outcome.errors)")
    }

    @Test("a missing program is refused", Sanitizer.hidesExec)
    func missingProgram() throws {
      let daemon = try daemon()
      try File.remove(program)
      let missing = try upgrade(daemon)
      #expect(missing.code == 1)
      #expect(missing.errors.contains("No such file"), "\(missing.errors)")
    }

    @Test("a timeout during the check does not advise to end the broker, and --json prints JSON")
    func lateCheck() throws {
      let daemon = try daemon()
      let dry = try upgrade(daemon, "--dry-run", "--json")
      #expect(dry.output.hasPrefix(#"{"version":"#), "\(dry.output)")
      try replace(by: "exec sleep 60")
      let outcome = try upgrade(daemon, "--timeout", "200ms")
      #expect(outcome.code == 124)
      #expect(outcome.errors.contains("still checks the state"), "\(outcome.errors)")
      #expect(!outcome.errors.contains("kill"), "\(outcome.errors)")
    }

    @Test(
      "the old program goes on if the new one fails after the check",
      arguments: [
        (#"echo can take over; rm "$0""#, "No such file"),
        (
          #"[ "$1" = --check-upgrade ] && echo can take over && exit; "#
            + #"exec "$SCENED" "$@" --manifest /none"#,
          "/none"
        ),
      ])
    func returns(script: String, reason: String) throws {
      let daemon = try daemon()
      let scene = try daemon.scene("notes")
      try replace(by: script)
      let outcome = try upgrade(daemon)
      #expect(outcome.code == 1)
      #expect(outcome.errors.contains(reason), "\(outcome.errors)")
      #expect(outcome.errors.hasSuffix(" goes on\n"), "\(outcome.errors)")
      try scene.line(containing: "has resumed")
      #expect(try daemon.scenectl("trace").contains("upgraded"))
      try install()
      #expect(try upgrade(daemon).code == 0)
      try daemon.scenectl("is", "notes foregroundActive")
    }

    @Test("a launched program stays a child: its exit status is known, and an orderly end ends it")
    func launched() throws {
      let manifest = try workplace.write(
        "manifest.json",
        #"{"supportsMultipleScenes":true,"configurations":{"windowApplication":[{"name":"Main","#
          + #""launch":["\#(try Programs.path("scene"))"]}]}}"#)
      let daemon = try daemon(["--manifest", manifest])
      try daemon.scenectl("new", "one")
      try daemon.scenectl("new", "two")
      #expect(try upgrade(daemon).code == 0)
      try daemon.scenectl("kill", "one")
      try eventually("the exit is known", polling: .broker) {
        try daemon.scenectl("show", "one", "--json").contains("KILL")
      }
      let process = try #require(
        Int32(daemon.scenectl("show", "two", "--value", "client.pid").dropLast()))
      #expect(try upgrade(daemon).code == 0)
      #expect(try daemon.stop().isSuccess)
      #expect(ProcessIdentity.of(process) == nil)
    }

    @Test("events in memory and the causes of a state are kept")
    func memory() throws {
      let daemon = try daemon()
      let scene = try daemon.scene("notes")
      try daemon.scenectl("post", "news", #"{"n":1}"#)
      try daemon.scenectl("background", "notes")
      try daemon.scenectl("post", "news", #"{"n":2}"#)
      #expect(try upgrade(daemon).code == 0)
      try scene.line(containing: "has resumed")
      let position = try daemon.scenectl("topics", "--json")
      #expect(position.contains(#""events":2"#), "\(position)")
      #expect(try daemon.scenectl("why", "notes").contains("background"))
      let trace = try daemon.scenectl("trace")
      #expect(trace.contains("created"), "\(trace)")
    }

    @Test("verbs that follow continue over an upgrade and a kill, without a gap or an event twice")
    func followers() throws {
      let manifest = try workplace.write(
        "manifest.json", #"{"supportsMultipleScenes":true,"topics":{"kept":{"durable":true}}}"#)
      let first = try daemon(["--manifest", manifest])
      let observer = try first.start("scenectl", ["observe", "news", "kept", "--last", "9"])
      let trace = try first.start("scenectl", ["trace", "--follow"])
      let list = try first.start("scenectl", ["sessions", "--watch", "--json"])
      let wait = try first.start("scenectl", ["wait", "late", "foregroundActive", "-t", "1m"])
      try first.scenectl("post", "news", #"{"n":1}"#)
      try observer.line(containing: #"{"n":1}"#)
      #expect(try upgrade(first).code == 0)
      try first.scenectl("post", "news", #"{"n":2}"#)
      #expect(try observer.lines(upTo: #"{"n":2}"#).count == 1)
      try trace.line(containing: "upgraded")
      try first.scenectl("post", "kept", #"{"n":3}"#)
      try observer.line(containing: #"{"n":3}"#)
      let scene = try first.scene("early")
      try list.line(containing: #""early""#)
      try first.kill()
      try observer.errorLine(containing: "has ended; waiting for the next one")
      let next = try daemon(["--manifest", manifest])
      try next.scenectl("post", "kept", #"{"n":4}"#)
      #expect(try observer.lines(upTo: #"{"n":4}"#).count == 1)
      try scene.line(containing: "has resumed")
      try list.line(containing: #""early""#)
      let late = try next.scene("late")
      #expect(try wait.finish().code == 0)
      try trace.line(containing: "late")
      try late.send(.terminate)
      try observer.send(.interrupt)
      #expect(try observer.reap().shellCode == 130)
    }

    @Test("a virtual clock goes on, and a manifest from a pipe stays")
    func start() throws {
      var pipe = try FileDescriptor.pipe()
      let reading = pipe.takeFirst()
      let writing = pipe.takeSecond()
      try writing.write(
        #"{"configurations":{"windowApplication":[{"name":"Odd","launch":{"command":["echo","$$(date)"]}}]},"#
          + #""supportsMultipleScenes":true}"#)
      writing.close()
      let daemon = try daemon(
        ["--clock", "virtual", "--manifest", "/dev/fd/5"], descriptors: [5: reading.number])
      reading.close()
      try daemon.scenectl("advance", "1h")
      let before = try daemon.scenectl("status", "--json")
      #expect(try upgrade(daemon).code == 0)
      let after = try daemon.scenectl("status", "--json")
      let time = try #require(before.firstMatch(of: #/"now":([0-9]+)/#)?.output.1)
      #expect(after.contains("\"now\":\(time)"), "\(before)\(after)")
      let manifest = try daemon.scenectl("call", "application/manifest")
      #expect(manifest.contains("Odd") && manifest.contains("$$(date)"), "\(manifest)")
    }

    @Test(
      "each request that a client sent before the end of a broker has a reply",
      arguments: ["upgrade", "shutdown"])
    func drain(verb: String) throws {
      let daemon = try daemon()
      let client = try daemon.client(as: .control)
      let text = #"{"text":"\#(String(repeating: "x", count: 1000))"}"#
      let payload = OpaqueObject(unchecked: RawJSON(unchecked: ContiguousArray(text.utf8)))
      // A running broker could read all requests before it ends.
      try daemon.program.send(.stop)
      let upgrade = verb == "upgrade" ? try daemon.start("scenectl", ["upgrade"]) : nil
      if upgrade == nil { try daemon.program.send(.terminate) }
      var unanswered: Set<RequestIdentifier> = []
      for _ in 1...80 {
        unanswered.insert(try client.send(EventPost(topic: "news", kind: "k", payload: payload)))
      }
      try daemon.program.send(.continue)
      while let message = try client.next() {
        if case .reply(let identifier, _) = message { unanswered.remove(identifier) }
      }
      #expect(unanswered.isEmpty)
      if let upgrade { #expect(try upgrade.finish().code == 0) }
    }

    @Test("a request that waits for a client is refused with a retry, and a verb repeats it")
    func waiting() throws {
      let daemon = try daemon()
      let scene = try daemon.scene("notes")
      let client = try daemon.client(as: .control)
      try scene.send(.stop)
      let verb = try daemon.start("scenectl", ["background", "notes", "-t", "1m"])
      try eventually("the scene is to move", polling: .broker) {
        try daemon.scenectl("show", "notes", "--value", "target") == "background\n"
      }
      let request = try client.send(Settle())
      #expect(try upgrade(daemon).code == 0)
      var errors: [BrokerError] = []
      while let message = try client.next() {
        if case .error(let identifier, let error) = message, identifier == request {
          errors.append(error)
        }
      }
      #expect(errors.map(\.reason) == [.shuttingDown] && errors.map(\.retry) == [.now])
      try scene.send(.continue)
      #expect(try verb.finish().code == 0)
      try daemon.scenectl("is", "notes background")
    }

    @Test("a scene that has not resumed has not ended, for verbs that wait for that")
    func unresumed() throws {
      let daemon = try daemon()
      let scene = try daemon.scene("notes")
      // The scene prints a callback before it answers.
      try daemon.scenectl("wait", "notes foregroundActive")
      try scene.send(.stop)
      let waits = try [
        ["wait", "notes unattached"], ["wait", "! notes foregroundActive"],
        ["wait", "application scenes=0"], ["kill", "-TERM", "notes"],
      ].map { try daemon.start("scenectl", $0 + ["-t", "1m"]) }
      try eventually("all verbs wait", polling: .broker) {
        let trace = try daemon.scenectl("trace")
        return try trace.contains("signalled")
          && daemon.scenectl("status", "--json").contains(#""connections":6,"#)
      }
      #expect(try upgrade(daemon).code == 0)
      for wait in waits { #expect(wait.child.endIfEnded == nil) }
      try scene.send(.continue)
      for wait in waits { #expect(try wait.finish().code == 0) }
    }

    @Test("an orderly end that begins before the new program takes over ends the broker")
    func ending() throws {
      let daemon = try daemon()
      let client = try daemon.client()
      // The callback stays without an answer, so that the upgrade waits.
      _ = try client.request(SceneConnect(name: "notes"))
      let verb = try daemon.start("scenectl", ["upgrade", "-t", "3s"])
      try daemon.program.errorLine(containing: "upgrading")
      try daemon.program.send(.terminate)
      #expect(try verb.finish().code != 0)
      #expect(try daemon.program.reap().isSuccess)
      #expect(!File.exists(workplace.socket))
    }

    @Test("an end while the journal ends passes to the new program, which performs it", .preload)
    func endingLate() throws {
      let hang = workplace.file("hang")
      let source = """
        #include <stdlib.h>
        #include <unistd.h>
        int fdatasync(int number) {
          while (access(getenv("DISK_HANGS"), F_OK) == 0) usleep(1000);
          return fsync(number);
        }
        """
      let library = try PreloadedLibrary.compile(workplace.write("hang.c", source), in: workplace)
      // Only the end of the journal is a sync, so that no reply waits for one.
      let daemon = try daemon(
        ["--durability", "os"], environment: ["LD_PRELOAD": library, "DISK_HANGS": hang])
      let scene = try daemon.scene("notes")
      let client = try daemon.client(as: .control)
      try File.write("".utf8, to: hang)
      let verb = try daemon.start("scenectl", ["upgrade", "-t", "5s"])
      try eventually("the broker reads no more requests", polling: .broker) {
        do {
          try client.send(Ping())
          return false
        } catch {
          return true
        }
      }
      try daemon.program.send(.terminate)
      try daemon.program.errorLine(containing: "TERM: ending cleanly")
      try File.remove(hang)
      try daemon.program.errorLine(containing: "the new program ends the broker")
      #expect(try daemon.program.reap().isSuccess)
      #expect(try verb.finish().code != 0)
      #expect(!File.exists(workplace.socket))
      let next = try self.daemon()
      try scene.line(containing: "has resumed")
      try next.scenectl("is", "notes foregroundActive")
    }

    @Test("a passed socket stays open over an upgrade")
    func inheritedSocket() throws {
      let listener = try UnixSocket.listen(at: workplace.socket)
      let daemon = try SupervisorTests.daemon(workplace, listening: listener)
      let client = try WireClient(socket: workplace.socket)
      try client.initialize(as: .control)
      listener.close()
      let outcome = try RunningProgram.run("scenectl", ["-S", workplace.socket, "upgrade"])
      #expect(outcome.code == 0, "\(outcome.errors)")
      daemon.closeInput()
      #expect(try daemon.reap().isSuccess)
    }
  }
#endif
