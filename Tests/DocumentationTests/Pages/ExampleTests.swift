import ScenePlatform
import SceneTestSupport
import Testing

/// The Swift examples of the manual compile against the libraries of this build.
struct ExampleTests {
  private let workplace: Workplace
  private let programs: String

  init() throws {
    workplace = try Workplace()
    programs = try Programs.directory()
  }

  /// Compiles files as one module. Returns the output of the compiler.
  private func compile(_ files: [String]) throws -> (code: Int32, text: String) {
    let outcome = try RunningProgram.run(
      "swiftc",
      [
        "-typecheck", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors",
        "-I", "\(programs)/Modules", "-I", "\(SourceTree.root)/Sources/CScenePlatform/include",
        "-module-name", "Example",
      ] + files)
    return (outcome.code, outcome.output + outcome.errors)
  }

  /// Each block is a file, so that an import of one block does not help another.
  private func files(of page: String) throws -> [String] {
    try Page.manual(page).blocks.filter { $0.language == "swift" }.enumerated().map {
      index, block in
      try workplace.write("\(page)-\(index).swift", block.text + "\n")
    }
  }

  @Test(
    "the examples compile without a warning",
    arguments: [
      ("Testing-life-cycles", 3), ("Concurrency-and-isolation", 5),
      ("Coming-from-UIKit", 2),
    ])
  func compiles(page: String, count: Int) throws {
    let files = try files(of: page)
    #expect(files.count == count)
    let (code, text) = try compile(files)
    #expect(code == 0, "\(text)")
  }

  @Test("a wrong example does not compile")
  func wrong() throws {
    let file = try workplace.write(
      "wrong.swift", "import SceneApp\nfunc title(_ scene: Scene) -> Int { scene.title }\n")
    let (code, text) = try compile([file])
    #expect(code == 1 && text.contains("error: cannot convert return expression"), "\(text)")
  }
}
