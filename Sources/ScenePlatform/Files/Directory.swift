/// Operations on directories, by path.
package enum Directory {
  /// Makes one directory; its parent must exist.
  package static func make(_ path: String, mode: UInt32 = 0o700) throws(SystemError) {
    try check("mkdir", path) { mkdir(path, mode_t(mode)) }
  }

  /// Makes a directory and its missing ancestors, all with `mode`. The directory may exist.
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

  /// Another process may have made the directory meanwhile.
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

  /// The last part of a path, or the whole path if it has no part, such as "/".
  package static func lastPart(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The working directory of this process.
  package static func current() throws(SystemError) -> String {
    try withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) {
      (buffer) throws(SystemError) in
      guard let path = getcwd(buffer.baseAddress, buffer.count) else { throw SystemError("getcwd") }
      guard let text = String(validatingCString: path) else {
        throw SystemError(
          call: "getcwd", path: String(cString: path), code: ErrorCode(rawValue: EILSEQ),
          note: "the path is not UTF-8; use another directory")
      }
      return text
    }
  }

  /// The working directory with the symbolic links of `path`, if that is the same directory. Shells
  /// name it in `$PWD`.
  package static func currentAsNamed(
    by path: String? = Environment["PWD"]
  ) throws(SystemError) -> String {
    if let path, path.isPlainPath,
      let identity = try? FileStatus(of: path).identity,
      identity == (try? FileStatus(of: ".").identity)
    {
      return path
    }
    return try current()
  }

  /// The path, prefixed with the working directory if it is relative.
  package static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let directory = try? current() else { return path }
    return "\(directory)/\(path)"
  }

  /// The names in a directory, sorted, without "." and "..".
  package static func list(_ path: String) throws(SystemError) -> [String] {
    guard let stream = opendir(path) else { throw SystemError("opendir", path) }
    defer { closedir(stream) }
    return try ScenePlatform.names(in: stream, path: path).sorted()
  }

  /// Syncs the names in the directory to the disk.
  package static func synchronize(_ path: String) throws(SystemError) {
    let directory = try File.open(path, [.read, .directory])
    do {
      try directory.synchronize()
    } catch {
      throw error.about(path)
    }
  }

  /// Syncs the names of a directory and of its ancestors to the disk. Stops at the first ancestor
  /// of another owner, because this user did not make that directory.
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
        // The file system has no disk.
        return
      }
    }
  }

  /// Makes a new directory with mode 0700 in `parent`, by default `$TMPDIR` or /tmp.
  package static func makeTemporary(
    prefix: String = "scene", in parent: String? = nil
  ) throws(SystemError) -> String {
    let path = newTemporary(prefix: prefix, in: parent)
    try makeTemporary(at: path)
    return path
  }

  /// The directory for temporary files.
  package static var temporary: String {
    Environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
  }

  /// A new random path for a temporary directory. The caller can arrange the removal before it
  /// makes the directory.
  package static func newTemporary(prefix: String = "scene", in parent: String? = nil) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    let name = String((0..<10).compactMap { _ in letters.randomElement() })
    return "\(absolute(parent ?? temporary))/\(prefix)-\(name)"
  }

  /// Makes a directory with mode 0700 at a path of ``newTemporary(prefix:in:)``.
  package static func makeTemporary(at path: String) throws(SystemError) {
    do throws(SystemError) {
      try make(path)
    } catch {
      var error = error
      error.note = "set TMPDIR to a directory that you can write to"
      throw error
    }
  }
}

extension String {
  /// The path without trailing slashes. A trailing slash would follow a symbolic link.
  package var withoutTrailingSlashes: String {
    var path = self[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    return String(path)
  }
}

/// The remaining names of a directory stream.
func names(in stream: DirectoryStream, path: String) throws(SystemError) -> [String] {
  var names: [String] = []
  while true {
    errno = 0
    guard let entry = readdir(stream) else {
      if errno != 0 { throw SystemError("readdir", path) }
      return names
    }
    // An entry is only as long as its name, so the code reads the name in place.
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    let start = UnsafeRawPointer(entry).advanced(by: offset)
    let name = String(cString: start.assumingMemoryBound(to: CChar.self))
    if name != "." && name != ".." { names.append(name) }
  }
}

extension String {
  /// Whether the path is absolute, and no part of it is "." or "..".
  fileprivate var isPlainPath: Bool {
    hasPrefix("/") && !split(separator: "/").contains { $0 == "." || $0 == ".." }
  }
}
