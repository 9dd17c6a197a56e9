import Foundation
import Testing

@Suite("Length of the source files")
struct FileLengthTests {
  private static let longest = 400

  @Test("a Swift file has at most 400 lines", arguments: ["Sources", "Tests"])
  func lines(directory: String) throws {
    let root = Checkout.root.appending(path: directory)
    let files = Checkout.swiftFiles(below: root)
    #expect(files.count > 100, "the test found no files")
    for file in files {
      let text = try Data(contentsOf: root.appending(path: file))
      let count = text.count { $0 == UInt8(ascii: "\n") }
      #expect(count <= Self.longest, "\(directory)/\(file) has \(count) lines")
    }
  }

  @Test("the inputs of the fuzz tests have at most 1 MiB together")
  func corpus() throws {
    let root = Checkout.root.appending(path: "Tests/Corpus")
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: [.fileSizeKey])
    let sizes = files?.compactMap { file in
      try? (file as? URL)?.resourceValues(forKeys: [.fileSizeKey]).fileSize
    }
    let count = try #require(sizes).reduce(0, +)
    #expect(1...1 << 20 ~= count, "Tests/Corpus has \(count) bytes")
  }

  /// `swift format` checks the lines of code.
  @Test("a line of a comment has at most 100 columns", arguments: ["Sources", "Tests"])
  func comments(directory: String) throws {
    let root = Checkout.root.appending(path: directory)
    for file in Checkout.swiftFiles(below: root) {
      let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
      for (number, line) in text.utf8.split(separator: 10, omittingEmptySubsequences: false)
        .enumerated() where line.count > 100
      {
        let isComment = line.drop { $0 == UInt8(ascii: " ") }.starts(with: "//".utf8)
        let count = String(Substring(line)).count
        #expect(!isComment || count <= 100, "\(directory)/\(file):\(number + 1)")
      }
    }
  }
}
