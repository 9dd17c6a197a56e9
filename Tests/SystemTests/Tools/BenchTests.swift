import ScenePlatform
import SceneTestSupport
import Testing

#if os(Linux)
  /// The benchmark works. No test asserts a speed, because a machine can be busy.
  struct BenchTests {
    private func bench(_ arguments: [String]) throws -> Outcome {
      try RunningProgram.run(try Repository.file("scripts/bench"), arguments)
    }

    @Test("each row has a measured value, and the limit and the aim beside it")
    func rows() throws {
      let outcome = try bench(["--quick", "--programs", Programs.buildDirectory()])
      #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
      let figure = #/[0-9.]+ (us|ms|/s|B)/#
      // A quick run judges no aim.
      let rows = outcome.output.split(separator: "\n")
        .filter { $0.contains(figure) && !$0.hasPrefix(" ") }
      #expect(rows.count == 16, "\(outcome.output)\(outcome.errors)")
      for row in rows {
        // The memory of an idle connection has no second value, because the limit is almost zero.
        #expect(row.matches(of: figure).count == (row.contains("idle") ? 1 : 2), "\(row)")
        #expect(row.contains(#/ [0-9]+\.[0-9]{2} +[0-9.]+-[0-9.]+ /#), "\(row)")
      }
      let lines = outcome.output.split(separator: "\n")
      let peers = [
        (["redis-server", "redis-cli"], "redis", 10), (["dbus-broker"], "dbus-broker", 6),
      ]
      for (programs, label, count) in peers {
        let isInstalled = programs.allSatisfy(Programs.isInstalled)
        let rows = lines.count { $0.hasPrefix("  \(label) ") }
        #expect(rows == (isInstalled ? count : 0), "\(label): \(outcome.output)")
      }
    }

    @Test(
      "a ratio is compared with its aim",
      arguments: [
        ("<= 1.35", "", "<= 1.35 met"), ("<= 1.34", "", "<= 1.34 MISSED"),
        (">= 1.35", "", ">= 1.35 met"), (">= 1.36", "", ">= 1.36 MISSED"),
        (">= 1.36", "1", ">= 1.36"),
      ])
    func verdict(aim: String, quick: String, end: String) throws {
      let workplace = try Workplace()
      let figures = try workplace.write("figures", "130 100\n135 100\n140 100\n")
      let outcome = try RunningProgram.run(
        "awk",
        [
          "-v", "label=row", "-v", "unit=us", "-v", "aim=\(aim)", "-v", "quick=\(quick)",
          "-f",
          try Repository.file("scripts/benchmark/table.awk"), figures,
        ])
      #expect(outcome.output.hasSuffix("1.35  1.30-1.40    \(end)\n"), "\(outcome.output)")
    }

    @Test(
      "the script of a release refuses unknown arguments and builds nothing",
      arguments: [
        ("--nonsense", 2), ("--help", 0),
      ])
    func release(argument: String, code: Int32) throws {
      let outcome = try RunningProgram.run(try Repository.file("scripts/release"), [argument])
      #expect(outcome.code == code)
      let text = code == 0 ? outcome.output : outcome.errors
      #expect(text.hasPrefix(code == 0 ? "Usage: scripts/" : "scripts/release: "), "\(text)")
    }

    @Test("a plot shows the growth with clients, sessions, observers and sizes")
    func plot() throws {
      let workplace = try Workplace()
      let outcome = try bench(
        ["--quick", "--programs", Programs.buildDirectory(), "--plot", workplace.file(".")])
      #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
      let points = outcome.output.split(separator: "\n").filter { $0.contains(" MiB ") }
      #expect(points.count == 8, "\(outcome.output)")
      let plot = String(decoding: try File.read(workplace.file("scale.svg")), as: UTF8.self)
      #expect(plot.matches(of: #/<polyline points='[0-9]/#).count == 8)
      #expect(plot.hasSuffix("</svg>\n"))
    }

    @Test(
      "unknown arguments are refused",
      arguments: [
        ["nonsense"], ["--runs", "0"], ["--runs=3"], ["--programs"], ["--programs", "/nowhere"],
        ["--plot", "/nowhere"],
      ])
    func usage(arguments: [String]) throws {
      let outcome = try bench(arguments)
      #expect(outcome.code == 2)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.hasPrefix("scripts/bench: "), "\(outcome.errors)")
    }
  }
#endif
