import ScenePlatform
import SceneTestSupport
import Testing

#if os(Linux)
  /// What measures works. How fast anything was is never asserted: a machine may be busy.
  struct BenchTests {
    private func bench(_ arguments: [String]) throws -> Outcome {
      try RunningProgram.run(try Repository.file("scripts/bench"), arguments)
    }

    @Test("the benchmark prints every row with its limit and its target")
    func rows() throws {
      let programs = try #require(Directory.parent(of: Programs.path("scened")))
      let outcome = try bench(["--quick", "--programs", programs])
      #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
      let figure = #/[0-9.]+ (us|ms|/s|B)/#
      let rows = outcome.output.split(separator: "\n").filter { $0.contains(#/[<>]= [0-9.]+ /#) }
      #expect(rows.count == 13, "\(outcome.output)\(outcome.errors)")
      for row in rows {
        #expect(row.contains(#/(met|MISSED)$/#), "\(row)")
        // The memory of a connection has none beside it: that of the limit is nearly nothing.
        #expect(row.matches(of: figure).count == (row.contains("idle") ? 1 : 2), "\(row)")
        #expect(row.contains(#/ [0-9]+\.[0-9]{2} +[0-9.]+-[0-9.]+ /#), "\(row)")
      }
    }

    @Test(
      "the benchmark refuses unknown arguments",
      arguments: [["nonsense"], ["--runs", "0"], ["--programs", "/nowhere"]])
    func usage(arguments: [String]) throws {
      let outcome = try bench(arguments)
      #expect(outcome.code == 2)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.hasPrefix("scripts/bench: "), "\(outcome.errors)")
    }
  }
#endif
