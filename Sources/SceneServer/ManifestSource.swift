package import SceneManifest
package import SceneModel

/// Where a broker's manifest comes from, so that it can be read again.
package struct ManifestSource {
  /// The file, for people.
  package var name: String
  package var read: () -> Result<Manifest, ManifestError>

  package init(name: String, read: @escaping () -> Result<Manifest, ManifestError>) {
    self.name = name
    self.read = read
  }
}
