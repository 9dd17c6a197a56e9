import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneScript

/// What is there before a script is played, and what it leaves.
@Suite("The stage of a script")
struct StageTests {
  @Test("where no stage can be made, the first section says so")
  func noStage() throws {
    let outcome = try Theatre.play("# A\nexec true\n# B\nexec true") {
      $0.environment["TMPDIR"] = "/no/such/directory"
    }
    #expect(outcome.sections.count == 2)
    guard case .failed(let failure)? = outcome.sections.first?.result else {
      throw Unmet("it passed")
    }
    #expect(failure.message.contains("/no/such/directory"))
    #expect(outcome.sections[1].result == .notReached)
  }

  @Test("a file that cannot be made leaves nothing behind")
  func impossibleFile() throws {
    let workplace = try Workplace()
    let outcome = try Theatre.play("exec true\n-- a --\n-- a/b --\n") {
      $0.environment["TMPDIR"] = workplace.path
    }
    #expect(!outcome.passed)
    #expect(try Directory.list(workplace.path) == [])
  }

  @Test("the sections behind one that fails are not played")
  func sections() throws {
    let outcome = try Theatre.play("# A\nexec true\n# B\nexec false\n# C\nexec true\n")
    #expect(outcome.sections.map(\.title) == ["A", "B", "C"])
    #expect(outcome.sections[0].result == .passed)
    #expect(outcome.sections[2].result == .notReached)
    #expect(!outcome.passed)
  }

  @Test("blocks are made to say what happens, and then the script passes")
  func accepting() throws {
    let text = """
      broker start
      client packing
      trace packing {
          # Whatever was there before.
          willConnect reason=restore isNew!=false
          # And all that comes of it.
          ...
      }
      background packing
      trace packing {}
      ! trace packing {}
      """
    let outcome = try Theatre.play(text) { $0.accepts = true }
    #expect(outcome.passed, "\(outcome)")
    let accepted = BlockRewrite.apply(outcome.rewrites, to: text)
    #expect(
      accepted == """
        broker start
        client packing
        trace packing {
            # Whatever was there before.
            willConnect reason=launch isNew=true
            # And all that comes of it.
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
    #expect(try Theatre.play(accepted).passed)
  }

  @Test("nothing is left: no directory and no process, unless the directory is to be kept")
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
    let isolated = { (settings: inout Stage.Settings) in
      settings.environment["TMPDIR"] = workplace.path
    }
    let outcome = try Theatre.play(text, isolated)
    #expect(!outcome.passed)
    #expect(outcome.keptDirectory == nil)
    #expect(try Directory.list(workplace.path) == [])

    let kept = try Theatre.play(text) { settings in
      isolated(&settings)
      settings.keeps = true
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
