import ScenePlatform
import Synchronization

// A build of the programs alone also builds this module, and has no module Testing.
#if canImport(Testing)
  package import Testing
#endif

/// A target of `scripts/fuzz`: a rule about inputs of any bytes.
package enum Fuzz {
  /// The input that the test plays now.
  @TaskLocal fileprivate static var input: Input?

  /// Calls `body` with each file of `Tests/Corpus/NAME` and of the directories `also`. In the build
  /// of `scripts/fuzz`, libFuzzer finds the inputs instead.
  ///
  /// With `SCENE_FUZZ_SECONDS=10`, then calls `body` with changed inputs for this time, until one
  /// fails. `SCENE_FUZZ_SEED=N` is the seed of the first changed input. Without a time, it is the
  /// only one.
  package static func play(
    _ name: String, also directories: [String] = [], _ body: @escaping ([UInt8]) throws -> Void
  ) throws {
    #if FUZZING
      if let arguments = Environment["SCENE_FUZZ"] {
        LibFuzzer.run(arguments.split(separator: "\n").map(String.init), body)
      }
    #endif
    var corpus: [[UInt8]] = []
    for directory in ["Tests/Corpus/\(name)"] + directories {
      for file in try Directory.list("\(root)/\(directory)") {
        let bytes = Array(try File.read("\(root)/\(directory)/\(file)"))
        Input("\(directory)/\(file)").play(bytes, body)
        corpus.append(bytes)
      }
    }
    let seconds = Environment["SCENE_FUZZ_SECONDS"].flatMap { Int($0) }
    let seed = Environment["SCENE_FUZZ_SEED"].flatMap { UInt64($0) }
    guard seconds != nil || seed != nil else { return }
    try change(
      corpus, of: name, from: seed ?? .random(in: 0..<(1 << 48)), for: .seconds(seconds ?? 0), body)
  }

  private static var root: String {
    "\(#filePath)".split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
  }

  /// Each changed input has its own seed, so that a failed one can be repeated alone. The first
  /// seed is printed before, because a process that crashes prints no issue.
  private static func change(
    _ corpus: [[UInt8]], of name: String, from first: UInt64, for time: Duration,
    _ body: ([UInt8]) throws -> Void
  ) throws {
    try StandardStream.error.write("\(name): SCENE_FUZZ_SEED=\(first)\n")
    let inputs = ChangedInputs(of: corpus)
    let end = ContinuousClock.now + time
    var seed = first
    repeat {
      let bytes = inputs.input(seed: seed)
      let file = ".build/fuzz/\(name)-\(seed)"
      let input = Input("\(file), by: SCENE_FUZZ_SEED=\(seed) swift test --filter '\\.FuzzTests'")
      input.play(bytes, body)
      if input.hasFailed.load(ordering: .relaxed) {
        try Directory.makeAll("\(root)/.build/fuzz")
        return try File.write(bytes, to: "\(root)/\(file)")
      }
      seed &+= 1
    } while ContinuousClock.now < end
    try StandardStream.error.write("\(name): \(seed &- first) changed inputs\n")
  }

  fileprivate final class Input: Sendable {
    /// Where the input is.
    let place: String
    let hasFailed = Atomic(false)

    init(_ place: String) { self.place = place }

    /// An error that `body` throws is an issue of this input.
    func play(_ bytes: [UInt8], _ body: ([UInt8]) throws -> Void) {
      Fuzz.$input.withValue(self) {
        do {
          try body(bytes)
        } catch {
          #if canImport(Testing)
            Issue.record(error)
          #else
            fatalError("\(error)")
          #endif
        }
      }
    }
  }
}

#if canImport(Testing)
  extension Trait where Self == IssueHandlingTrait {
    /// Adds the input to an issue. In the build of `scripts/fuzz`, an issue ends the process, so
    /// that libFuzzer writes the input to a file.
    package static var fuzz: Self {
      .compactMapIssues { issue in
        #if FUZZING
          fatalError("\(issue)")
        #else
          var issue = issue
          // The traits of a suite also handle the issues of its tests.
          if let input = Fuzz.input, !input.hasFailed.exchange(true, ordering: .relaxed) {
            issue.comments.append("the input is \(input.place)")
          }
          return issue
        #endif
      }
    }
  }
#endif
