extension Directory {
  /// Removes a directory and its content. Symbolic links are removed, never followed. Another
  /// thread may remove parts of the content meanwhile.
  package static func removeTree(_ path: String) throws(SystemError) {
    do {
      let directory = try File.open(path, [.read, .directory, .noFollow])
      try empty(directory, path: path)
    } catch let error where error.code == .notADirectory || error.code == .tooManyLinks {
      return try File.remove(path)
    }
    try check("rmdir", path) { rmdir(path) }
  }

  /// Uses open directories instead of paths, so that another process cannot replace a directory
  /// with a link meanwhile.
  private static func empty(
    _ directory: borrowing FileDescriptor, path: String
  ) throws(SystemError) {
    let number = directory.number
    for name in try names(in: .duplicating(number), path: path) {
      let child = "\(path)/\(name)"
      if unlinkat(number, name, 0) == 0 { continue }
      if ErrorCode.last == .notFound { continue }
      // For a directory, Linux returns EISDIR and other systems EPERM.
      guard ErrorCode.last == .isADirectory || ErrorCode.last == .notPermitted else {
        throw SystemError("unlink", child)
      }
      let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
      do throws(SystemError) {
        let opened = try check("open", child) { openat(number, name, flags) }
        try empty(FileDescriptor(adopting: opened), path: child)
        try check("rmdir", child) { unlinkat(number, name, AT_REMOVEDIR) }
      } catch let error where error.code == .notFound {
        continue
      }
    }
  }
}
