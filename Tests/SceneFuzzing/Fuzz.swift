import ScenePlatform

// A build of the programs alone also builds this module, and has no module Testing.
#if canImport(Testing)
  package import Testing
#endif

/// A target of `scripts/fuzz`: a rule about inputs of any bytes.
package enum Fuzz {
  /// The file that the test plays now.
  @TaskLocal fileprivate static var file: String?

  /// Calls `body` with each file of `Tests/Corpus/NAME` and of the directories `also`. In the build
  /// of `scripts/fuzz`, libFuzzer finds the inputs instead.
  package static func play(
    _ name: String, also directories: [String] = [], _ body: @escaping ([UInt8]) throws -> Void
  ) throws {
    #if FUZZING
      if let arguments = Environment["SCENE_FUZZ"] {
        LibFuzzer.run(arguments.split(separator: "\n").map(String.init), body)
      }
    #endif
    let root = "\(#filePath)".split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
    var files: [String] = []
    for directory in ["Tests/Corpus/\(name)"] + directories {
      files += try Directory.list("\(root)/\(directory)").map { "\(directory)/\($0)" }
    }
    for file in files {
      let bytes = Array(try File.read("\(root)/\(file)"))
      try $file.withValue(file) { try body(bytes) }
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
          if let file = Fuzz.file { issue.comments.append("the input is \(file)") }
          return issue
        #endif
      }
    }
  }
#endif
