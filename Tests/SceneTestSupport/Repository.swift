import ScenePlatform

/// The checkout that the tests were built from.
package enum Repository {
  package static func file(_ path: String) throws -> String {
    let parts = "\(#filePath)".split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/") + "/" + path
  }

  package static func text(_ path: String) throws -> String {
    String(decoding: try File.read(file(path), limit: 1 << 22), as: UTF8.self)
  }
}
