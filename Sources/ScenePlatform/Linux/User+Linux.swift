import CScenePlatform

extension User {
  /// The number of unmapped owners in this user namespace; nil outside a user namespace.
  static var unmapped: UInt32? {
    guard let map = text(of: "/proc/self/uid_map"),
      words(of: map) != ["0", "0", "4294967295"]
    else { return nil }
    return text(of: "/proc/sys/kernel/overflowuid").flatMap {
      words(of: $0).first.flatMap { UInt32($0) }
    }
  }

  /// Does not call `getpwuid_r`, which loads plug-ins of the system's C library: a statically
  /// linked program cannot load them.
  static var homeInDatabase: String? {
    let user = database("/etc/passwd", fields: 7)?.first { UInt32($0[2]) == current }
    return user.map { String($0[5]) }
  }
}

var usableProcessorCount: Int { Int(platform_usable_processors()) }
