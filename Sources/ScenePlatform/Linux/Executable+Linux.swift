import CScenePlatform

extension Executable {
  /// The path of this program, without symbolic links.
  package static func current() throws(SystemError) -> String {
    try File.destination(ofLink: "/proc/self/exe")
  }

  /// The path that this program was started from. Call it before the working directory changes.
  package static func started() throws(SystemError) -> String {
    if let path = platform_started_path().map({ Directory.absolute(String(cString: $0)) }),
      let identity = try? FileStatus(of: path).identity,
      identity == (try? FileStatus(of: "/proc/self/exe").identity)
    {
      return path
    }
    return try current()
  }
}

extension CurrentProcess {
  static var descriptorLimit: __rlimit_resource_t {
    __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  }
  static var coreLimit: __rlimit_resource_t {
    __rlimit_resource_t(RLIMIT_CORE.rawValue)
  }
  static var stackLimitName: __rlimit_resource_t {
    __rlimit_resource_t(RLIMIT_STACK.rawValue)
  }
  static var maximumDescriptorLimit: rlim_t { .max }
}
