package import SceneModel

/// One thing that is wrong with a manifest.
package struct ManifestFlaw: Error, Equatable {
  /// The way to it from the outside in, such as `configurations.windowApplication[0].name`; empty
  /// for the file as a whole.
  package var path: String
  /// What was expected, what stood there and what to do, as a clause.
  package var problem: String
  /// The first byte of the value in the file, if the file is a text.
  var offset: Int?
  /// The line and the column of that byte.
  package internal(set) var place: TextPlace?

  package init(_ path: String, _ problem: String) { self.init(path, problem, at: nil) }

  init(_ path: String, _ problem: String, at offset: Int?) {
    self.path = path
    self.problem = problem
    self.offset = offset
  }

  /// The same flaw with its line and column in the text of the file.
  func located(in text: ContiguousArray<UInt8>) -> ManifestFlaw {
    var flaw = self
    flaw.place = offset.map { TextPlace(of: $0, in: text) }
    return flaw
  }

  /// The line and the column, the path and the problem, as far as they are known.
  package var line: String {
    ([place?.description, path.isEmpty ? nil : path].compactMap(\.self) + [problem])
      .joined(separator: ": ")
  }
}

/// All that is wrong with a manifest, at once: nothing of it is used.
package struct ManifestError: Error, Equatable, CustomStringConvertible {
  package var file: String
  /// In the order in which they stand in the file; never empty.
  package var flaws: [ManifestFlaw]

  package init(file: String, flaws: [ManifestFlaw]) {
    self.file = file
    self.flaws = flaws
  }

  package var description: String { lines.joined(separator: "\n") }

  /// One for each flaw.
  package var lines: [String] { flaws.map { "\(file): \($0.line)" } }
}

/// A manifest that can be used, and what its reader had to change or leave out.
package struct LoadedManifest: Equatable {
  package var manifest: Manifest
  package var warnings: [ManifestFlaw]

  package init(_ manifest: Manifest, warnings: [ManifestFlaw] = []) {
    self.manifest = manifest
    self.warnings = warnings
  }
}
