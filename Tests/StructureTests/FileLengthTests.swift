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
}
