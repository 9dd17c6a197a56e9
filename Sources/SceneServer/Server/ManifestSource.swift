package import SceneManifest

/// Where a broker's manifest comes from, so that it can be read again.
package struct ManifestSource {
  /// The file, for people.
  package var name: String
  /// Where it lies, and so where programs run that it names; nil where that is no place for them.
  package var directory: String?
  /// Reads it; again, while the broker serves, or for the first time.
  package var read: (_ isAgain: Bool) -> Result<LoadedManifest, ManifestError>

  package init(
    name: String, directory: String? = nil,
    read: @escaping (_ isAgain: Bool) -> Result<LoadedManifest, ManifestError>
  ) {
    self.name = name
    self.directory = directory
    self.read = read
  }
}
