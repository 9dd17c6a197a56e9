/// A directory that only this user can access, for the broker's sockets and files.
package enum PrivateDirectory {
  /// Opens a directory and checks it. The directory must belong to this user, have mode 0700 or
  /// less, and be no symbolic link. No other user may be able to replace it.
  package static func open(_ path: String) throws(PrivateDirectoryError) -> FileDescriptor {
    let path = path.withoutTrailingSlashes
    try checkAncestors(of: path)
    do {
      // `open` below also rejects a link, but some systems do not report why.
      let status = try FileStatus(of: path, followLinks: false)
      if status.kind == .symbolicLink { throw PrivateDirectoryError(path, .symbolicLink) }
      if status.kind != .directory { throw PrivateDirectoryError(path, .notADirectory) }
      if status.owner == User.current, status.mode & 0o500 != 0o500, User.current != 0 {
        throw PrivateDirectoryError(path, .closed(mode: status.mode))
      }
      let directory = try File.open(path, [.read, .directory, .noFollow])
      try check(try directory.status(), path: path)
      return directory
    } catch let error as PrivateDirectoryError {
      throw error
    } catch let error as SystemError {
      throw refusal(error, path)
    } catch {
      preconditionFailure("nothing else is thrown here")
    }
  }

  /// The directories that ``make(_:_:)`` may make.
  package enum Making: Sendable {
    /// None: the directory must exist.
    case none
    /// The directory itself; its parent must exist.
    case last
    /// The directory and its missing ancestors.
    case all
  }

  /// Makes the directory with mode 0700, or checks an existing one. Never makes the home directory.
  package static func make(
    _ path: String, _ making: Making = .all
  ) throws(PrivateDirectoryError) -> FileDescriptor {
    let path = path.withoutTrailingSlashes
    if let home = User.home, path.hasPrefix(home + "/"), !File.exists(home) {
      throw PrivateDirectoryError(path, .noHome(home))
    }
    try checkAncestors(of: path)
    let parent = Directory.parent(of: path)
    switch making {
    case .none:
      try check(isThere: path)
      return try open(path)
    case .last: if let parent { try check(isThere: parent) }
    case .all: break
    }
    do {
      if let parent, making == .all { try Directory.makeAll(parent) }
      try Directory.make(path)
    } catch let error where error.code == .exists {
      // Checked below.
    } catch {
      throw refusal(error, path)
    }
    return try open(path)
  }

  private static func check(isThere path: String) throws(PrivateDirectoryError) {
    do throws(SystemError) {
      // A dangling link exists.
      _ = try FileStatus(of: path, followLinks: false)
    } catch {
      guard error.code == .notFound else { throw refusal(error, path) }
      throw PrivateDirectoryError(path, .missing)
    }
  }

  /// The error for a path. If an ancestor is not a directory, the error names the ancestor.
  private static func refusal(_ error: SystemError, _ path: String) -> PrivateDirectoryError {
    var place = path
    while error.code == .notADirectory, let parent = Directory.parent(of: place), parent != place {
      place = parent
      if let kind = try? FileStatus(of: place).kind, kind != .directory {
        return PrivateDirectoryError(place, .notADirectory)
      }
    }
    return PrivateDirectoryError(path, .system(error))
  }

  private static func check(_ status: FileStatus, path: String) throws(PrivateDirectoryError) {
    if status.owner != User.current {
      throw PrivateDirectoryError(path, .foreign(owner: status.owner))
    }
    if status.mode & 0o077 != 0 {
      throw PrivateDirectoryError(path, .open(mode: status.mode))
    }
  }
}

/// The reason why a directory is not private.
package struct PrivateDirectoryError: Error, Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    case symbolicLink
    case notADirectory
    case foreign(owner: UInt32)
    case open(mode: UInt32)
    /// An ancestor lets another user replace the directory.
    case ancestor(of: String, UnsafeAncestor)
    /// The mode denies access to its owner.
    case closed(mode: UInt32)
    /// The user's home directory does not exist.
    case noHome(String)
    /// The directory does not exist and may not be made.
    case missing
    case system(SystemError)
  }

  package var path: String
  package var reason: Reason
  /// Whether the directory already contains the broker's files, so that another directory is no
  /// remedy.
  package var holdsOurs = false

  package init(_ path: String, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }
}

extension PrivateDirectoryError: CustomStringConvertible {
  /// The problem and its remedy.
  package var description: String {
    switch reason {
    case .symbolicLink:
      "\(path) is a symbolic link; name its target"
    case .notADirectory:
      "\(path) is not a directory; name another path"
    case .foreign(let owner):
      "\(path) belongs to user \(owner), not to user \(User.current); name a directory of your own"
    case .open(let mode):
      "other users can access the directory \(path) (mode \(octal(mode))); run: "
        + (remedy.map { "mkdir -m 700 \($0.shellPath)" } ?? "chmod 700 \(path.shellPath)")
    case .ancestor(let below, .foreign(let owner)):
      "\(below) is not safe: user \(owner) owns \(path) and can replace its entries; name a path "
        + "whose directories belong to you or to root"
    case .ancestor(let below, .writable(let mode)):
      "\(below) is not safe: other users can replace the entries of \(path) (mode \(octal(mode))); "
        + "run: chmod go-w \(path.shellPath)"
    case .closed(let mode):
      "the directory \(path) is closed to its owner (mode \(octal(mode))); run: chmod 700 "
        + path.shellPath
    case .missing:
      "the directory \(path) does not exist; run: mkdir \(isDeep ? "-p " : "")-m 700 "
        + path.shellPath
    case .noHome(let home):
      "the home directory \(home) does not exist; set HOME, or name other paths with -S and --state"
    case .system(let error):
      error.description
    }
  }
}

extension PrivateDirectoryError {
  /// A new directory to use instead of a shared one; nil if `chmod` is the remedy.
  package var remedy: String? {
    guard case .open(let mode) = reason else { return nil }
    let isSticky = mode & 0o1000 != 0
    // In a directory that others can write, a new directory would be unsafe too.
    let isShared = mode & 0o002 != 0
    if holdsOurs || !isSticky && (isShared || isMadeForUs || isEmpty) { return nil }
    return path == "/" ? "/scened" : path + "/scened"
  }

  private var isEmpty: Bool { (try? Directory.list(path).isEmpty) ?? false }

  /// Whether the parent directory is missing, too.
  private var isDeep: Bool { Directory.parent(of: path).map { !File.exists($0) } ?? false }

  /// The default directories are `…/scened` and `…/scened/APPLICATION`.
  private var isMadeForUs: Bool {
    path.split(separator: "/").suffix(2).contains("scened")
  }
}

private func octal(_ mode: UInt32) -> String {
  let digits = String(mode, radix: 8)
  return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
