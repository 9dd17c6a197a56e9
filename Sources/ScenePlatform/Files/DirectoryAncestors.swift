extension PrivateDirectory {
  /// The largest number of symbolic links in a path, as in the kernel.
  private static let linkLimit = 40

  /// Throws if another user can replace a directory on the path. Every ancestor must belong to this
  /// user or root. No other user may write to it unless it is sticky.
  ///
  /// The check follows the path from the root, through symbolic links. No other user can replace a
  /// checked directory. The check ends at the first missing name.
  static func checkAncestors(of path: String) throws(PrivateDirectoryError) {
    var names = Array(names(in: Directory.absolute(path)).dropFirst())
    var place = ""
    var links = 0
    do {
      if let flaw = UnsafeAncestor(try FileStatus(of: "/")) {
        throw PrivateDirectoryError("/", .ancestor(of: path, flaw))
      }
      while let name = names.popLast() {
        if name == ".." { place = Directory.parent(of: place).map { $0 == "/" ? "" : $0 } ?? "" }
        if name == "." || name == ".." { continue }
        let next = "\(place)/\(name)"
        let status = try FileStatus(of: next, followLinks: false)
        // A suggestion to change the mode of a device would do harm.
        if status.kind != .directory, status.kind != .symbolicLink {
          throw PrivateDirectoryError(next, .notADirectory)
        }
        if let flaw = UnsafeAncestor(status) {
          throw PrivateDirectoryError(next, .ancestor(of: path, flaw))
        }
        guard status.kind == .symbolicLink else {
          place = next
          continue
        }
        links += 1
        guard links <= linkLimit else {
          throw SystemError(call: "open", path: path, code: .tooManyLinks)
        }
        let destination = try File.destination(ofLink: next)
        if destination.hasPrefix("/") { place = "" }
        names += self.names(in: destination)
      }
    } catch let error as PrivateDirectoryError {
      throw error
    } catch let error as SystemError {
      if error.isNotFound { return }
      throw PrivateDirectoryError(path, .system(error))
    } catch {
      preconditionFailure("nothing else is thrown here")
    }
  }

  /// The components of a path, in reverse order.
  private static func names(in path: String) -> [String] {
    path.split(separator: "/").reversed().map(String.init)
  }
}

/// The reason why another user can replace the entries of a directory.
package enum UnsafeAncestor: Equatable, Sendable {
  case foreign(owner: UInt32)
  case writable(mode: UInt32)

  /// Nil for a safe directory.
  init?(_ status: FileStatus) {
    if !User.isTrusted(status.owner) {
      self = .foreign(owner: status.owner)
    } else if status.kind != .symbolicLink, status.mode & 0o1000 == 0, status.isWritableByOthers {
      self = .writable(mode: status.mode)
    } else {
      return nil
    }
  }
}

extension FileStatus {
  /// Whether users other than the owner may write to the file. A group whose only member is the
  /// owner does not count: some systems make such groups and set the group's write permission by
  /// default.
  fileprivate var isWritableByOthers: Bool {
    mode & 0o002 != 0 || mode & 0o020 != 0 && !User.isAlone(owner, in: group)
  }
}
