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

  /// Runs a command at the top of the package; its exit status and its standard output.
  static func run(_ arguments: String...) throws -> (status: Int32, output: String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = root
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }
}
