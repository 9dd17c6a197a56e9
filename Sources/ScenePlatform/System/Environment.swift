import CScenePlatform

/// The environment variables of this process, and behind them those of ``UserSettings``. This
/// process does not change them.
package enum Environment {
  package static subscript(name: String) -> String? {
    getenv(name).map { String(cString: $0) } ?? UserSettings.value(of: name)
  }

  /// All variables at the first use. The first of two equal names wins. Invalid UTF-8 is repaired.
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
    return variables.merging(UserSettings.all) { own, _ in own }
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

  /// The lines of a system database that have `count` fields.
  static func database(_ path: String, fields count: Int) -> [[Substring]]? {
    text(of: path)?.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      return fields.count == count ? fields : nil
    }
  }

  static func words(of text: String) -> [Substring] {
    text.split { $0 == " " || $0 == "\n" }
  }

  static func text(of path: String) -> String? {
    (try? File.read(path, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// `$HOME`, else the home directory in the user database; nil if both are missing.
  package static var home: String? {
    if let home = Environment["HOME"], home.hasPrefix("/") { return home }
    return homeInDatabase
  }
}

/// The machine this process runs on.
package enum Host {
  /// The number of processors that this process may use; at least 1.
  package static var processorCount: Int {
    max(1, usableProcessorCount)
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
