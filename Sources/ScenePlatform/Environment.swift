import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The variables this process was started with; nobody changes them here.
package enum Environment {
  package static subscript(name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// All of them; of two with the same name, the first. What is not UTF-8 is repaired.
  package static let all: [String: String] = {
    var variables: [String: String] = [:]
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

  /// Throws where one of this product's own, `SCENE_…`, is no text: repaired, it would mean
  /// something else.
  package static func check() throws(EnvironmentError) {
    var ill: String?
    visit { entry in
      guard ill == nil, String(validatingCString: entry) == nil else { return }
      let name = String(cString: entry).prefix { $0 != "=" }
      if name.hasPrefix("SCENE_") { ill = String(name) }
    }
    if let ill { throw EnvironmentError(variable: ill) }
  }

  private static func visit(_ body: (UnsafeMutablePointer<CChar>) -> Void) {
    guard var next = platform_environment() else { return }
    while let entry = next.pointee {
      body(entry)
      next += 1
    }
  }
}

/// A variable whose value is no text.
package struct EnvironmentError: Error, Equatable, Sendable, CustomStringConvertible {
  package var variable: String

  package var description: String {
    "the variable \(variable) is not UTF-8; set it anew, or unset it"
  }
}

/// The user this process acts for.
package enum User {
  /// The effective user's number.
  package static var current: UInt32 { geteuid() }

  /// `$HOME`, else what the user database says; nil when neither knows.
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
    /// Not by `getpwuid_r`, which loads plug-ins of the system's C library: a program that brings a
    /// library of its own along cannot have them.
    private static var homeInDatabase: String? {
      guard let users = try? File.read("/etc/passwd", limit: 1 << 20) else { return nil }
      for line in String(decoding: users, as: UTF8.self).split(separator: "\n") {
        let fields = line.split(separator: ":", omittingEmptySubsequences: false)
        if fields.count == 7, UInt32(fields[2]) == current { return String(fields[5]) }
      }
      return nil
    }
  #endif
}

/// The machine this process runs on.
package enum Host {
  /// How many processors there are to run on; at least one.
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  package static var name: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 257) { buffer in
      buffer.initialize(repeating: 0)
      // The last zero stays: a name that is cut short need not end with one.
      guard let start = buffer.baseAddress, gethostname(start, 256) == 0 else { return "localhost" }
      return String(cString: start)
    }
  }
}
