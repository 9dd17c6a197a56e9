import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneScript

@Suite("The environment of a script")
struct ScriptEnvironmentTests {
  @Test("without a temporary directory the first section fails")
  func noStage() throws {
    let outcome = try ScriptFixture.run("# A\nexec true\n# B\nexec true") {
      $0.environment["TMPDIR"] = "/no/such/directory"
    }
    #expect(outcome.sections.count == 2)
    #expect(outcome.failure?.message.contains("/no/such/directory") == true)
    #expect(outcome.sections[1].result == .skipped("an earlier section failed"))
  }

  @Test("a file that cannot be created leaves no directory")
  func impossibleFile() throws {
    let workplace = try Workplace()
    let outcome = try ScriptFixture.run("exec true\n-- a --\n-- a/b --\n") {
      $0.environment["TMPDIR"] = workplace.path
    }
    #expect(!outcome.passed)
    #expect(try Directory.list(workplace.path) == [])
  }

  @Test(
    "a section without a line to run is skipped, and the sections after a failed one do not run")
  func sections() throws {
    let outcome = try ScriptFixture.run(
      "# Not here\n[env:NO_SUCH] exec false\n# A\nexec true\n# B\nexec false\n# C\nexec true\n")
    #expect(outcome.sections.map(\.title) == ["Not here", "A", "B", "C"])
    #expect(outcome.sections[0].result == .skipped("conditions exclude every line"))
    #expect(outcome.sections[1].result == .passed)
    #expect(outcome.sections[3].result == .skipped("an earlier section failed"))
    #expect(!outcome.passed)
  }

  @Test("rewritten blocks pass")
  func accepting() throws {
    let text = """
      broker start
      client packing
      trace packing {
          # The first callback.
          willConnect reason=restore isNew!=false
          # The other callbacks.
          ...
      }
      background packing
      trace packing {}
      ! trace packing {}
      """
    let outcome = try ScriptFixture.run(text) { $0.acceptsTraces = true }
    #expect(outcome.passed, "\(outcome)")
    let accepted = BlockRewrite.apply(outcome.rewrites, to: text)
    #expect(
      accepted == """
        broker start
        client packing
        trace packing {
            # The first callback.
            willConnect reason=launch isNew=true
            # The other callbacks.
            ...
        }
        background packing
        trace packing {
            willResignActive
            didEnterBackground
            stateRestorationActivity
        }
        ! trace packing {}
        """)
    #expect(try ScriptFixture.run(accepted).passed)
  }

  @Test("no process and no directory is left, unless the directory is kept")
  func leavings() throws {
    let workplace = try Workplace()
    let text = """
      broker start
      client packing
      freeze packing
      exec sh -c 'echo $PPID >pid'
      exec false
      -- a/b --
      text
      """
    let isolated = { (settings: inout ScriptEnvironment.Settings) in
      settings.environment["TMPDIR"] = workplace.path
    }
    let outcome = try ScriptFixture.run(text, isolated)
    #expect(!outcome.passed)
    #expect(outcome.keptDirectory == nil)
    #expect(try Directory.list(workplace.path) == [])

    let kept = try ScriptFixture.run(text) { settings in
      isolated(&settings)
      settings.keepsDirectory = true
    }
    let directory = try #require(kept.keptDirectory)
    #expect(try Directory.list(directory).contains("scened.log"))
    #expect(try Directory.list(directory + "/work") == ["a", "pid"])
    #expect(kept.keptPage == directory + "/timeline.html")
    let page = try File.read(directory + "/timeline.html")
    #expect(String(decoding: page, as: UTF8.self).contains("didBecomeActive"))
    let told = try RecordedTrace.entries(in: File.read(directory + "/trace.jsonl"))
    #expect(told.contains { $0.event == .connected && $0.name == "packing" })
    #expect(throws: (any Error).self) { _ = try UnixSocket.connect(to: directory + "/sock") }
  }
}
