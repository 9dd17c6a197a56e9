import CScenePlatform

/// Restricts this process to some files, by Landlock. Nothing removes the restriction, and programs
/// that the process starts have it too.
package struct Confinement {
  /// Files and directories to read. Programs in them can be started.
  package var readable: [String] = []
  /// Directories in which the process makes, changes and removes files.
  package var writable: [String] = []

  package init() {}

  /// The rights to listen and to connect by TCP.
  private static let tcp: UInt64 = 3

  /// Restricts this thread and those that it starts. An absent path is no error. Returns false if
  /// the kernel has no Landlock.
  package func begin() throws(SystemError) -> Bool {
    guard let version = try Self.version() else { return false }
    let all = Right.all(ofVersion: version)
    let ruleset = FileDescriptor(
      adopting: try check("landlock_create_ruleset") {
        platform_landlock_ruleset(all.rawValue, version >= 4 ? Self.tcp : 0)
      })
    try allow(readable, .reading, ruleset)
    try allow(["/dev/null"], [.readFile, .writeFile], ruleset)
    try allow(writable, all.subtracting([.execute, .makeDevice]), ruleset)
    try check("landlock_restrict_self") { platform_landlock_restrict(ruleset.number) }
    return true
  }

  package static var isSupported: Bool { (try? version()) != nil }

  /// Nil without Landlock, or with its first version, which refuses each move of a file to another
  /// directory.
  private static func version() throws(SystemError) -> Int32? {
    do throws(SystemError) {
      let version = try check("landlock_create_ruleset") { platform_landlock_version() }
      return version >= 2 ? version : nil
    } catch {
      if error.code.isUnsupported { return nil }
      throw error
    }
  }

  private func allow(
    _ paths: [String], _ rights: Right, _ ruleset: borrowing FileDescriptor
  ) throws(SystemError) {
    for path in paths {
      guard let status = try? FileStatus(of: path) else { continue }
      let file = FileDescriptor(
        adopting: try check("open", path) { platform_open_place(path) })
      let allowed = status.kind == .directory ? rights : rights.intersection(.ofFiles)
      try check("landlock_add_rule", path) {
        platform_landlock_allow(ruleset.number, allowed.rawValue, file.number)
      }
    }
  }

  /// The rights of Landlock. A right that no rule allows is refused.
  private struct Right: OptionSet {
    let rawValue: UInt64

    static let execute = Right(rawValue: 1 << 0)
    static let writeFile = Right(rawValue: 1 << 1)
    static let readFile = Right(rawValue: 1 << 2)
    static let readDirectory = Right(rawValue: 1 << 3)
    /// A character device and a block device.
    static let makeDevice = Right(rawValue: (1 << 6) | (1 << 11))
    static let truncate = Right(rawValue: 1 << 14)
    static let controlDevice = Right(rawValue: 1 << 15)

    static let reading: Right = [.execute, .readFile, .readDirectory]
    /// The rights that a rule about a file can have.
    static let ofFiles: Right = [.execute, .writeFile, .readFile, .truncate, .controlDevice]

    static func all(ofVersion version: Int32) -> Right {
      switch version {
      case ...2: Right(rawValue: (1 << 14) - 1)
      case 3...4: Right(rawValue: (1 << 15) - 1)
      default: Right(rawValue: (1 << 16) - 1)
      }
    }
  }
}
