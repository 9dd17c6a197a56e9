/// One thing that is wrong with a manifest.
package struct ManifestFlaw: Error, Equatable {
  /// The way to it from the outside in, such as `configurations.windowApplication[0].name`; empty
  /// for the file as a whole.
  package var path: String
  /// What was expected, what stood there and what to do, as a clause.
  package var problem: String

  package init(_ path: String, _ problem: String) {
    self.path = path
    self.problem = problem
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
  package var lines: [String] {
    flaws.map { flaw in
      flaw.path.isEmpty ? "\(file): \(flaw.problem)" : "\(file): \(flaw.path): \(flaw.problem)"
    }
  }
}
