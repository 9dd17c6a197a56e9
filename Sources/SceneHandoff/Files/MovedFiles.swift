import SceneJSON
package import SceneModel
package import ScenePlatform

/// The largest data directory that goes to another host.
package struct FileLimits: Equatable, Sendable {
  package let count: Int
  package let byteCount: Int

  /// Over ssh.
  package static let move = FileLimits(count: 4096, byteCount: 16 << 20)
  /// Through an engine, with the session in one transaction.
  package static let engine = FileLimits(count: 256, byteCount: 256 << 10)

  var byteText: String {
    byteCount < 1 << 20 ? "\(byteCount >> 10) KiB" : "\(byteCount >> 20) MiB"
  }
}

extension FileLimits: CustomStringConvertible {
  package var description: String { "\(count) files or \(byteText)" }
}

/// A regular file of the data directory.
package struct MovedFile: JSONStructure, Equatable, Sendable {
  /// The path in the data directory.
  package var name = ""
  package var content: ContiguousArray<UInt8> = []

  package init() {}

  package init(name: String, content: ContiguousArray<UInt8>) {
    self.name = name
    self.content = content
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("name", &name)
    var encoded = EncodedBytes(bytes: content)
    try visitor.required("content", &encoded)
    content = encoded.bytes
  }
}

/// Bytes as base64.
private struct EncodedBytes: JSONCodable {
  var bytes: ContiguousArray<UInt8>

  static var expectation: String { "base64" }

  init(bytes: ContiguousArray<UInt8>) { self.bytes = bytes }

  init(reading value: JSONValue) throws(MemberError) {
    guard let text = value.string, let bytes = Base64.decode(ContiguousArray(text.utf8)) else {
      throw .expected(Self.self, found: value)
    }
    self.bytes = bytes
  }

  func write(to writer: inout JSONWriter) {
    writer.raw(
      RawJSON(
        unchecked: [UInt8(ascii: "\"")] + Base64.encode(bytes) + [UInt8(ascii: "\"")]))
  }
}

/// The data directory of a session, as a list of files.
package struct MovedFiles: Equatable, Sendable {
  package private(set) var files: [MovedFile] = []
  /// The links, devices and private files that stay.
  package private(set) var skippedCount = 0
  /// Whether the directory exceeds a limit, so that all files stay.
  package private(set) var isTooLarge = false
  private var byteCount = 0
  private let limits: FileLimits

  /// `scene` and this type use these names for files that belong to one host or one moment.
  fileprivate static let privatePrefix = ".scene-"

  /// Reads the regular files. Follows no links.
  package init(
    in directory: String, within limits: FileLimits = .move
  ) throws(SystemError) {
    self.limits = limits
    try read(directory, prefix: "")
    if isTooLarge { files = [] }
  }

  private mutating func read(_ directory: String, prefix: String) throws(SystemError) {
    for name in try Directory.list(directory) where !name.hasPrefix(Self.privatePrefix) {
      do throws(SystemError) {
        try read("\(directory)/\(name)", named: prefix + name)
      } catch {
        // A program can have removed it meanwhile.
        guard error.isNotFound else { throw error }
      }
    }
  }

  private mutating func read(_ path: String, named name: String) throws(SystemError) {
    switch try FileStatus(of: path, followLinks: false).kind {
    case .directory: try read(path, prefix: "\(name)/")
    case .regular where !isTooLarge:
      let file = try File.open(path, [.read, .noFollow])
      guard try file.status().size <= Int64(limits.byteCount - byteCount),
        files.count < limits.count
      else {
        isTooLarge = true
        return
      }
      do throws(SystemError) {
        let content = try file.readToEnd(limit: limits.byteCount - byteCount)
        byteCount += content.count
        files.append(MovedFile(name: name, content: content))
      } catch {
        throw error.about(path)
      }
    case .regular: return
    default: skippedCount += 1
    }
  }
}

extension [MovedFile] {
  /// The first file that must not be written; nil if all can be.
  package func problem(within limits: FileLimits = .move) -> String? {
    guard count <= limits.count else { return "more than \(limits.count) files" }
    var names: Set<String> = []
    for file in self {
      let parts = file.name.split(separator: "/", omittingEmptySubsequences: false)
      let isPlain = parts.allSatisfy {
        !$0.isEmpty && $0 != "." && $0 != ".." && !$0.utf8.contains(0)
          && !$0.hasPrefix(MovedFiles.privatePrefix)
      }
      guard isPlain else { return "the name \"\(file.name)\" is not allowed" }
      guard names.insert(file.name).inserted else { return "two files are called \"\(file.name)\"" }
    }
    let bytes = reduce(0) { $0 + $1.content.count }
    return bytes > limits.byteCount ? "the files have more than \(limits.byteText)" : nil
  }

  /// Makes these the regular files of the directory. Writes each file beside its place and renames
  /// it. Links, devices and private files stay.
  package func write(to directory: String) throws(SystemError) {
    for file in self {
      let path = "\(directory)/\(file.name)"
      guard let parent = Directory.parent(of: path) else { continue }
      try Self.makeParents(of: file.name, in: directory)
      let new = "\(parent)/\(MovedFiles.privatePrefix)arriving"
      try File.removeIfPresent(new)
      let descriptor = try File.open(new, [.write, .create, .exclusive, .noFollow])
      do throws(SystemError) {
        try descriptor.write(file.content.span.bytes)
        try descriptor.synchronize()
      } catch {
        throw error.about(path)
      }
      if (try? FileStatus(of: path, followLinks: false))?.kind == .directory {
        try Directory.removeTree(path)
      }
      try File.rename(new, to: path)
    }
    try Self.removeOthers(than: Set(map(\.name)), in: directory, prefix: "")
    try Directory.synchronize(directory)
  }

  /// Makes the directories of a name. A link or a file there makes room.
  private static func makeParents(of name: String, in directory: String) throws(SystemError) {
    var path = directory
    for part in name.split(separator: "/").dropLast() {
      path += "/\(part)"
      switch try? FileStatus(of: path, followLinks: false).kind {
      case .directory?: continue
      case .some: try File.remove(path)
      case nil: break
      }
      try Directory.make(path)
    }
  }

  private static func removeOthers(
    than names: Set<String>, in directory: String, prefix: String
  ) throws(SystemError) {
    for name in try Directory.list(directory)
    where !name.hasPrefix(MovedFiles.privatePrefix) {
      let path = "\(directory)/\(name)"
      switch try FileStatus(of: path, followLinks: false).kind {
      case .directory: try removeOthers(than: names, in: path, prefix: "\(prefix)\(name)/")
      case .regular where !names.contains(prefix + name): try File.removeIfPresent(path)
      default: break
      }
    }
  }
}

extension SessionProgram {
  /// A directory below one home becomes the same path below the other.
  package mutating func move(from home: String?, to other: String?) {
    guard let home, let other, directory == home || directory.hasPrefix(home + "/") else { return }
    directory = other + directory.dropFirst(home.count)
  }
}
