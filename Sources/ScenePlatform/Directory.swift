#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Directories by their paths.
package enum Directory {
  /// Makes one directory; its parent must be there.
  package static func make(_ path: String, mode: UInt32 = 0o700) throws(SystemError) {
    try check("mkdir", path) { mkdir(path, mode_t(mode)) }
  }

  /// Makes a directory and those above it that are missing, all with this mode; it may be there.
  package static func makeAll(_ path: String, mode: UInt32 = 0o700) throws(SystemError) {
    do {
      try make(path, mode: mode)
    } catch let error where error.code == .notFound {
      guard let parent = parent(of: path) else { throw error }
      try makeAll(parent, mode: mode)
      try makeUnlessPresent(path, mode: mode)
    } catch let error where error.code == .exists {
      guard try FileStatus(of: path).kind == .directory else { throw error }
    }
  }

  /// Somebody else may have made it in between.
  private static func makeUnlessPresent(_ path: String, mode: UInt32) throws(SystemError) {
    do {
      try make(path, mode: mode)
    } catch let error where error.code == .exists {
      guard try FileStatus(of: path).kind == .directory else { throw error }
    }
  }

  /// The path without its last part; nil at the root and for a name without a slash.
  package static func parent(of path: String) -> String? {
    var bytes = path.utf8[...]
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), bytes.count > 1 else { return nil }
    var parent = bytes[..<slash]
    while parent.count > 1, parent.last == UInt8(ascii: "/") { parent.removeLast() }
    return parent.isEmpty ? "/" : String(Substring(parent))
  }

  /// The one that relative paths begin in.
  package static func current() throws(SystemError) -> String {
    try withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) {
      (buffer) throws(SystemError) in
      guard let path = getcwd(buffer.baseAddress, buffer.count) else { throw SystemError("getcwd") }
      return String(cString: path)
    }
  }

  /// The path from the root on, for whoever may be elsewhere when it is used.
  package static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let directory = try? current() else { return path }
    return "\(directory)/\(path)"
  }

  /// The names in a directory, sorted, without "." and "..".
  package static func list(_ path: String) throws(SystemError) -> [String] {
    guard let stream = opendir(path) else { throw SystemError("opendir", path) }
    defer { closedir(stream) }
    return try names(in: stream, path: path).sorted()
  }

  /// Returns when the names in the directory are on the disk.
  package static func synchronize(_ path: String) throws(SystemError) {
    let directory = try File.open(path, [.read, .directory])
    do {
      try directory.synchronize()
    } catch {
      throw error.about(path)
    }
  }

  /// Returns when the names of a directory and of those above it are on the disk, as far as this user
  /// can have made them.
  package static func synchronizeNames(leadingTo path: String) throws(SystemError) {
    var path = path
    while path != "/", path != "." {
      path = parent(of: path) ?? "."
      guard try FileStatus(of: path).owner == User.current else { return }
      do {
        try synchronize(path)
      } catch let error where error.isDenied || error.isUnsupported {
        return
      } catch let error where error.code == .invalidArgument {
        // A directory of a file system that has no disk.
        return
      }
    }
  }

  /// Makes a new directory for this user alone, under `$TMPDIR` or /tmp unless told where.
  package static func makeTemporary(
    prefix: String = "scene", in parent: String? = nil
  ) throws(SystemError) -> String {
    let path = newTemporary(prefix: prefix, in: parent)
    try makeTemporary(at: path)
    return path
  }

  /// Where such a directory is to be: a path that is nobody else's, so that one may see to its removal
  /// before it is made.
  package static func newTemporary(prefix: String = "scene", in parent: String? = nil) -> String {
    var base = parent ?? Environment["TMPDIR"] ?? "/tmp"
    if base.isEmpty { base = "/tmp" }
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    let name = String((0..<10).compactMap { _ in letters.randomElement() })
    return "\(absolute(base))/\(prefix)-\(name)"
  }

  /// Makes it.
  package static func makeTemporary(at path: String) throws(SystemError) {
    do throws(SystemError) {
      try make(path)
    } catch {
      var error = error
      error.note = "TMPDIR says where; set it to a directory of yours"
      throw error
    }
  }
}

extension String {
  /// The path without slashes at its end: with one, it means what a link leads to and not the link.
  package var withoutTrailingSlashes: String {
    var path = self[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    return String(path)
  }
}

/// The names a directory stream still has to give.
func names(in stream: DirectoryStream, path: String) throws(SystemError) -> [String] {
  var names: [String] = []
  while true {
    errno = 0
    guard let entry = readdir(stream) else {
      if errno != 0 { throw SystemError("readdir", path) }
      return names
    }
    // An entry is only as long as its name: the name is read in place, not copied out of it.
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    let start = UnsafeRawPointer(entry).advanced(by: offset)
    let name = String(cString: start.assumingMemoryBound(to: CChar.self))
    if name != "." && name != ".." { names.append(name) }
  }
}

#if canImport(Darwin)
  typealias DirectoryStream = UnsafeMutablePointer<DIR>
#else
  typealias DirectoryStream = OpaquePointer
#endif
