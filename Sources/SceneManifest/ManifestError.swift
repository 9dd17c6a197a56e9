package import SceneModel

/// All problems of a rejected manifest.
package struct ManifestError: Error, Equatable, CustomStringConvertible {
  package var file: String
  /// The diagnostics in the order of the file; never empty.
  package var flaws: [ManifestDiagnostic]

  package init(file: String, flaws: [ManifestDiagnostic]) {
    self.file = file
    self.flaws = flaws
  }

  package var description: String { lines.joined(separator: "\n") }

  /// One line for each diagnostic.
  package var lines: [String] { flaws.map { "\(file): \($0.line)" } }
}

/// An accepted manifest, with warnings about changed or ignored parts, and about programs that
/// cannot be started.
package struct LoadedManifest: Equatable {
  package var manifest: Manifest
  package var warnings: [ManifestDiagnostic]

  package init(_ manifest: Manifest, warnings: [ManifestDiagnostic] = []) {
    self.manifest = manifest
    self.warnings = warnings
  }
}
