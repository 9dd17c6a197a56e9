extension PrivateDirectory {
  /// How many symbolic links a path may lead through, as for the system.
  private static let linkLimit = 40

  /// Refuses a path on which another user could put something else in the place of the directory:
  /// every directory above it must belong to this user or root, and no other user may write to it,
  /// unless its sticky bit keeps what belongs to others in place.
  ///
  /// The path is followed from the root on, through its symbolic links. A directory that has passed
  /// cannot be replaced while the next one is looked at. What is missing ends the path.
  static func checkAncestors(of path: String) throws(PrivateDirectoryError) {
    var names = Array(names(in: Directory.absolute(path)).dropFirst())
    var place = ""
    var links = 0
    do {
      if let flaw = AncestorFlaw(try FileStatus(of: "/")) {
        throw PrivateDirectoryError("/", .ancestor(of: path, flaw))
      }
      while let name = names.popLast() {
        if name == ".." { place = Directory.parent(of: place).map { $0 == "/" ? "" : $0 } ?? "" }
        if name == "." || name == ".." { continue }
        let next = "\(place)/\(name)"
        let status = try FileStatus(of: next, followLinks: false)
        if let flaw = AncestorFlaw(status) {
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

  /// The parts of a path, the last one first.
  private static func names(in path: String) -> [String] {
    path.split(separator: "/").reversed().map(String.init)
  }
}

/// Why a directory cannot be trusted to keep what is below it in place.
package enum AncestorFlaw: Equatable, Sendable {
  case foreign(owner: UInt32)
  case writable(mode: UInt32)

  /// Nil for one that can be trusted.
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
  /// Whether a user besides its owner may write to it. A group of which the owner is the only member
  /// adds no other user: some systems make such groups, and let them write by default.
  fileprivate var isWritableByOthers: Bool {
    mode & 0o002 != 0 || mode & 0o020 != 0 && !User.isAlone(owner, in: group)
  }
}
