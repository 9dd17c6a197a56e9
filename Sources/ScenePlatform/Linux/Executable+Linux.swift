extension Executable {
  /// The path of this program.
  package static func current() throws(SystemError) -> String {
    try File.destination(ofLink: "/proc/self/exe")
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
