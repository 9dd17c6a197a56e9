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
  /// A member of a type without a counterpart has none either, and need not say so.
  @Test(
    "a comment has a summary, the parameters, the errors, the result, and Apple's symbol",
    arguments: [
      ("SceneClient", 380), ("SceneApp", 70), ("SceneFoundation", 5), ("SceneTesting", 60),
    ])
  func complete(module: String, least: Int) throws {
    let programs = try Directory.parent(of: SceneTestSupport.Programs.path("scened")) ?? "."
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
        /// The state of a sample. UIKit has no counterpart.
        public struct State {
          /// The number of samples.
          public var count = 0
          /// The name.
          public var name = ""
          /// The kind of a sample. Corresponds to `UISceneSession.Role`.
          public enum Kind {
            /// The usual kind of a sample.
            case usual
          }
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
    let statement = "\"Corresponds to `X`.\" or \"UIKit has no counterpart.\""
    #expect(
      Set(flaws) == [
        "4: SampleDelegate.send(_:): - Parameter text:, - Throws: with the codes, - Returns:, "
          + statement,
        "7: Sample: the form \"Corresponds to `X`.\", " + statement,
        "8: Sample.init(): a summary that is a sentence, a summary that stands alone, "
          + statement,
        "12: Sample.init(text:): a summary that stands alone",
        "27: Sample.State.name: a summary that stands alone",
        "31: Sample.State.Kind.usual: " + statement,
      ])
  }
}

extension [Symbol] {
  /// The symbols with incomplete comments, and the missing parts of each.
  fileprivate var flaws: [(symbol: Symbol, missing: [String])] {
    let types = SymbolTypes(self)
    return map { ($0, $0.missing(in: types)) }.filter { !$0.missing.isEmpty }
  }
}
