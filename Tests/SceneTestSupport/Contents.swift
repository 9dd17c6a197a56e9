package import ScenePlatform

/// What lies in a directory, and when it was last written.
package struct Contents: Equatable {
  package let files: [String: FileStatus]

  package init(of directory: String, without left: String? = nil) throws {
    var files = [".": try FileStatus(of: directory)]
    for name in try Directory.list(directory) where name != left {
      files[name] = try FileStatus(of: "\(directory)/\(name)", followLinks: false)
    }
    self.files = files
  }
}
