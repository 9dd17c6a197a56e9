package import ScenePlatform

/// The entries of a directory, and the times when they were last written.
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
