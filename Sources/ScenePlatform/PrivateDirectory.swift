/// A directory that only this user can see into, as the broker's sockets and files need it.
package enum PrivateDirectory {
  /// Opens the directory if it is this user's own, mode 0700 or less, and no symbolic link, and if no
  /// other user can put another one in its place.
  package static func open(_ path: String) throws(PrivateDirectoryError) -> FileDescriptor {
    let path = path.withoutTrailingSlashes
    try checkAncestors(of: path)
    do {
      // A link would be refused by the open below as well, but without saying so on every system.
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

  /// What is made of a path where nothing is.
  package enum Making: Sendable {
    /// Nothing: it must be there.
    case none
    /// The directory itself, in one that must be there.
    case last
    /// What is missing above it too.
    case all
  }

  /// Makes the directory with mode 0700, as far as is allowed; one that is there already is checked
  /// instead. A home directory is not made.
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
      // A link that leads nowhere is there.
      _ = try FileStatus(of: path, followLinks: false)
    } catch {
      guard error.code == .notFound else { throw refusal(error, path) }
      throw PrivateDirectoryError(path, .missing)
    }
  }

  /// What the system says of the path; where something above it is no directory, that is named.
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

/// Why a directory cannot be trusted.
package struct PrivateDirectoryError: Error, Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    case symbolicLink
    case notADirectory
    case foreign(owner: UInt32)
    case open(mode: UInt32)
    /// A directory above the one of this path lets another user replace that.
    case ancestor(of: String, AncestorFlaw)
    /// Its owner has closed it to everybody.
    case closed(mode: UInt32)
    /// It would be in the user's home directory, and there is none.
    case noHome(String)
    /// It is not there, and is not made.
    case missing
    case system(SystemError)
  }

  package var path: String
  package var reason: Reason
  /// Whether what is in it is ours already, and would be missed in another directory.
  package var holdsOurs = false

  package init(_ path: String, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }
}

extension PrivateDirectoryError: CustomStringConvertible {
  /// What is wrong, and what to do about it.
  package var description: String {
    switch reason {
    case .symbolicLink:
      "\(path) is a symbolic link; name the directory it leads to"
    case .notADirectory:
      "\(path) is not a directory; move it away or name another"
    case .foreign(let owner):
      "\(path) belongs to user \(owner), not to user \(User.current); name a directory of your own"
    case .open(let mode):
      "\(path) is open to others (mode \(octal(mode))); "
        + (remedy.map { "make one in it that is not: mkdir -m 700 \($0.shellPath)" }
          ?? "run: chmod 700 \(path.shellPath)")
    case .ancestor(let below, .foreign(let owner)):
      "\(below) is not safe: \(path) belongs to user \(owner), who can replace what is in it; name a "
        + "directory below ones that belong to you or to root"
    case .ancestor(let below, .writable(let mode)):
      "\(below) is not safe: other users can replace what is in \(path) (mode \(octal(mode))); "
        + "run: chmod go-w \(path.shellPath)"
    case .closed(let mode):
      "\(path) is closed to its owner, too (mode \(octal(mode))); run: chmod 700 "
        + path.shellPath
    case .missing:
      "there is no directory \(path); make it first: mkdir \(isDeep ? "-p " : "")-m 700 "
        + path.shellPath
    case .noHome(let home):
      "there is no home directory \(home); set HOME, or name other places with -S and --state"
    case .system(let error):
      error.description
    }
  }
}

extension PrivateDirectoryError {
  /// The directory to make and use instead of one that is open to others; nil for one that may be
  /// closed to them.
  package var remedy: String? {
    guard case .open(let mode) = reason else { return nil }
    let isSticky = mode & 0o1000 != 0
    // What is made in one where others may replace it is refused as well.
    let isShared = mode & 0o002 != 0
    if holdsOurs || !isSticky && (isShared || isMadeForUs || isEmpty) { return nil }
    return path == "/" ? "/scened" : path + "/scened"
  }

  /// Nobody can miss what is not in it.
  private var isEmpty: Bool { (try? Directory.list(path).isEmpty) ?? false }

  /// Whether there is not even the directory that it would be in.
  private var isDeep: Bool { Directory.parent(of: path).map { !File.exists($0) } ?? false }

  /// By default they are called `…/scened` and `…/scened/APPLICATION`.
  private var isMadeForUs: Bool {
    path.split(separator: "/").suffix(2).contains("scened")
  }
}

private func octal(_ mode: UInt32) -> String {
  let digits = String(mode, radix: 8)
  return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
