import CScenePlatform

extension TemporaryFile {
  static func openInMemory() throws(SystemError) -> FileDescriptor {
    FileDescriptor(adopting: try check("memfd_create") { platform_memory_file() })
  }
}
