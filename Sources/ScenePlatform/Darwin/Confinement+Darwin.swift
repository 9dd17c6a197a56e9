#if canImport(Darwin)
  /// Restricts this process to some files. Darwin has no public interface for it.
  package struct Confinement {
    package var readable: [String] = []
    package var writable: [String] = []

    package init() {}

    package static var isSupported: Bool { false }

    package func begin() throws(SystemError) -> Bool { false }
  }
#endif
