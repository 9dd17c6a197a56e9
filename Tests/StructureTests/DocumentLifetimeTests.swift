import Foundation
import Testing

/// A JSON value does not retain its document, so a document without a name would end too early.
@Suite("Lifetimes of documents")
struct DocumentLifetimeTests {
  @Test("each JSON document is bound to a constant", arguments: ["Sources", "Tests"])
  func constants(directory: String) throws {
    let root = Checkout.root.appending(path: directory)
    let temporary = try Regex(#"JSONDocument\([^()]*\)\.|\)\.root\b|(?:\(|: )JSONDocument\(\)\)"#)
    for file in Checkout.swiftFiles(below: root) where !file.contains("StructureTests") {
      let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
      for line in text.split(separator: "\n") where line.contains(temporary) {
        let isTuple = line.contains("= (")
        #expect(isTuple, "\(directory)/\(file): \(line)")
      }
    }
  }
}
