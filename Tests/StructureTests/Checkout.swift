import Foundation

/// The files of the package.
enum Checkout {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The paths of the Swift files below a directory, relative to that directory.
  static func swiftFiles(below directory: URL) -> [String] {
    let names = FileManager.default.enumerator(atPath: directory.path())?
      .compactMap { $0 as? String }
    return (names ?? []).filter { $0.hasSuffix(".swift") }
  }
}
