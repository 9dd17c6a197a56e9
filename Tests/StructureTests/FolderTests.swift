import Foundation
import Testing

/// The folders of a large module show its parts.
@Suite("Folders of the modules")
struct FolderTests {
  private static let mostAtRoot = 15
  private static let mostInFolder = 25

  @Test(
    "a module of more than 15 Swift files has at most 15 at its root, and at most 25 in a folder",
    arguments: ["Sources", "Tests"])
  func folders(directory: String) throws {
    let root = Checkout.root.appending(path: directory)
    var largeModules = 0
    for module in try FileManager.default.contentsOfDirectory(atPath: root.path()) {
      let files = Checkout.swiftFiles(below: root.appending(path: module))
      guard files.count > Self.mostAtRoot else { continue }
      largeModules += 1
      let folders = Dictionary(grouping: files) { file in
        file.split(separator: "/").dropLast().joined(separator: "/")
      }
      for (folder, content) in folders {
        let most = folder.isEmpty ? Self.mostAtRoot : Self.mostInFolder
        let count = content.count
        #expect(count <= most, "\(directory)/\(module)/\(folder) has \(count) Swift files")
      }
    }
    #expect(largeModules > 5, "the test found too few modules")
  }
}
