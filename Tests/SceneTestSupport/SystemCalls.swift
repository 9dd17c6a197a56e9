package import ScenePlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension File {
  package static func setMode(_ path: String, _ mode: UInt32) throws {
    guard chmod(path, mode_t(mode)) == 0 else {
      throw Unmet("the mode of \(path) cannot be changed: error \(errno)")
    }
  }
}

extension FileDescriptor {
  /// A second descriptor for the same open file, with the lowest free number from `minimum` on.
  package func duplicate(from minimum: Int32) throws -> FileDescriptor {
    try FileDescriptor.duplicating(number, from: minimum)
  }
}

extension User {
  /// The effective group's number.
  package static var currentGroup: UInt32 { getegid() }
}
