import CScenePlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The environment variables of this process. This process does not change them.
package enum Environment {
  package static subscript(name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// All variables. The first of two equal names wins. Invalid UTF-8 is repaired.
  package static let all: [String: String] = {
    // Growing would take most of the time.
    var count = 0
    visit { _ in count += 1 }
    var variables = [String: String](minimumCapacity: count)
    visit { entry in
      let text = String(cString: entry)
      guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return }
      let name = String(text[..<sign])
      if variables[name] == nil {
        variables[name] = String(text[text.utf8.index(after: sign)...])
      }
    }
    return variables
  }()

  /// Throws if a variable `SCENE_…` is not UTF-8, because a repaired value would have another
  /// meaning.
  package static func check() throws(EnvironmentError) {
    var ill: String?
    visit { entry in
      guard ill == nil, strncmp(entry, "SCENE_", 6) == 0, String(validatingCString: entry) == nil
      else { return }
      ill = String(String(cString: entry).prefix { $0 != "=" })
    }
    if let ill { throw .illFormedVariable(ill) }
  }

  private static func visit(_ body: (UnsafeMutablePointer<CChar>) -> Void) {
    guard var next = platform_environment() else { return }
    while let entry = next.pointee {
      body(entry)
      next += 1
    }
  }
}

/// The user of this process.
package enum User {
  /// The effective user ID.
  package static var current: UInt32 { geteuid() }

  /// Whether this process trusts files of the owner: the owner is this user or root.
  ///
  /// In a user namespace, all unmapped owners, also root, have the same number.
  static func isTrusted(_ owner: UInt32) -> Bool {
    owner == 0 || owner == current || owner == unmapped
  }

  /// Whether a user is the only member of a group, by `/etc/passwd` and `/etc/group`.
  static func isAlone(_ user: UInt32, in group: UInt32) -> Bool {
    guard let users = database("/etc/passwd", fields: 7),
      let members = database("/etc/group", fields: 4)?.first(where: { UInt32($0[2]) == group })?[3]
    else { return false }
    let own = users.filter { UInt32($0[3]) == group }
    guard own.count == 1, let only = own.first, UInt32(only[2]) == user else { return false }
    return members.isEmpty || members == only[0]
  }

  /// The number of unmapped owners in this user namespace; nil outside a user namespace.
  private static var unmapped: UInt32? {
    #if canImport(Darwin)
      return nil
    #else
      guard let map = text(of: "/proc/self/uid_map"),
        words(of: map) != ["0", "0", "4294967295"]
      else { return nil }
      return text(of: "/proc/sys/kernel/overflowuid").flatMap {
        words(of: $0).first.flatMap { UInt32($0) }
      }
    #endif
  }

  /// The lines of a system database that have `count` fields.
  private static func database(_ path: String, fields count: Int) -> [[Substring]]? {
    text(of: path)?.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      return fields.count == count ? fields : nil
    }
  }

  private static func words(of text: String) -> [Substring] {
    text.split { $0 == " " || $0 == "\n" }
  }

  private static func text(of path: String) -> String? {
    (try? File.read(path, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// `$HOME`, else the home directory in the user database; nil if both are missing.
  package static var home: String? {
    if let home = Environment["HOME"], home.hasPrefix("/") { return home }
    return homeInDatabase
  }

  #if canImport(Darwin)
    private static var homeInDatabase: String? {
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { buffer in
        guard let start = buffer.baseAddress else { return nil }
        let code = getpwuid_r(geteuid(), &entry, start, buffer.count, &found)
        guard code == 0, found != nil, let home = entry.pw_dir else { return nil }
        return String(cString: home)
      }
    }
  #else
    /// Does not call `getpwuid_r`, which loads plug-ins of the system's C library: a statically
    /// linked program cannot load them.
    private static var homeInDatabase: String? {
      let user = database("/etc/passwd", fields: 7)?.first { UInt32($0[2]) == current }
      return user.map { String($0[5]) }
    }
  #endif
}

/// The machine this process runs on.
package enum Host {
  /// The number of processors that this process may use; at least 1.
  package static var processorCount: Int {
    #if canImport(Darwin)
      max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    #else
      max(1, Int(platform_usable_processors()))
    #endif
  }

  package static var name: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 257) { buffer in
      buffer.initialize(repeating: 0)
      // The buffer keeps its last zero, because a truncated name may lack one.
      guard let start = buffer.baseAddress, gethostname(start, 256) == 0 else { return "localhost" }
      return String(cString: start)
    }
  }
}
