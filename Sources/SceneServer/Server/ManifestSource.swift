package import SceneManifest

/// The source of a broker's manifest, which the broker can read again.
package struct ManifestSource {
  /// The name of the file in messages.
  package var name: String
  /// The directory of the file, in which its programs run; nil if programs cannot run there.
  package var directory: String?
  /// Reads the manifest. `isAgain` states that the broker already serves.
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
