import SceneApp
import SceneClient
import SceneFoundation
import ScenePlatform
import SceneTestSupport
import SceneTesting
import Testing

/// The comments of the libraries' public symbols have every part that a reader of the reference
/// needs.
@Suite("Comments of public symbols")
struct SymbolCommentTests {
  @Test(
    "a comment has a summary, the parameters, the errors and the result",
    arguments: [
      ("SceneClient", 250), ("SceneApp", 35), ("SceneFoundation", 5), ("SceneTesting", 35),
    ])
  func complete(module: String, least: Int) throws {
    let programs = try SceneTestSupport.Programs.directory()
    let symbols = try SymbolGraph.symbols(of: module, in: "\(programs)/Modules").documentedHere
    #expect(symbols.count >= least, "the symbols were not found")
    let flawed = symbols.flaws.map { symbol, missing in
      "\(symbol.place): \(symbol.name) lacks \(missing.joined(separator: ", "))"
    }
    #expect(flawed.isEmpty, "\(flawed.joined(separator: "\n"))")
  }

  @Test("an incomplete comment is reported with its line and the missing parts")
  func incomplete() throws {
    let place = try Workplace()
    let source = try place.write(
      "Sample.swift",
      """
      /// A sample protocol. Corresponds to `UISceneDelegate`.
      public protocol SampleDelegate {
        /// Sends a text.
        func send(_ text: String) throws -> Int
      }
      /// A type, corresponding to `UIScene`.
      public struct Sample: SampleDelegate {
        public init() {}
        /// The same with a text. Corresponds to `UIScene.init(session:connectionOptions:)`.
        ///
        /// - Parameter text: the text, at most 1 KiB.
        public init(text: String) {}
        public func send(_ text: String) throws -> Int { 0 }
        /// Sends a text. Corresponds to `UIScene.open(_:options:completionHandler:)`.
        ///
        /// - Parameters:
        ///   - text: the text.
        ///   - body: the work.
        /// - Returns: The number of bytes.
        /// - Throws: The error of `body`.
        public func complete(_ text: String, _ body: () throws -> Void) rethrows -> Int { 0 }
        /// The state of a sample.
        public struct State {
          /// The number of samples.
          public var count = 0
          /// The name.
          public var name = ""
        }
      }
      """)
    let compilation = try RunningProgram.run(
      "swiftc",
      ["-emit-module", "-module-name", "Sample", "-o", place.file("Sample.swiftmodule"), source])
    #expect(compilation.code == 0, "\(compilation.errors)")
    let symbols = try SymbolGraph.symbols(of: "Sample", in: place.path).documentedHere
    let flaws = symbols.flaws.map { symbol, missing in
      let line = symbol.place.split(separator: ":").last ?? ""
      return "\(line): \(symbol.name): \(missing.joined(separator: ", "))"
    }
    #expect(
      Set(flaws) == [
        "4: SampleDelegate.send(_:): - Parameter text:, - Throws: with the codes, - Returns:",
        "7: Sample: the form \"Corresponds to `X`.\"",
        "8: Sample.init(): a summary that is a sentence, a summary that stands alone",
        "12: Sample.init(text:): a summary that stands alone",
        "27: Sample.State.name: a summary that stands alone",
      ])
  }
}

extension [Symbol] {
  /// The symbols with incomplete comments, and the missing parts of each.
  fileprivate var flaws: [(symbol: Symbol, missing: [String])] {
    map { ($0, $0.missingParts) }.filter { !$0.missing.isEmpty }
  }
}
