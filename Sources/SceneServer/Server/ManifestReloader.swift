import SceneBroker
import SceneCommandLine
package import SceneManifest

/// Reads the manifest again, and logs the outcome.
struct ManifestReloader {
  /// Nil for a broker without a manifest file.
  private let source: ManifestSource?
  private let log: Log

  init(_ source: ManifestSource?, log: Log) {
    self.source = source
    self.log = log
  }

  func reload() -> ManifestReading {
    guard let source else {
      return refused([
        "no manifest to read again: this broker was started without one; restart it with "
          + "--manifest FILE"
      ])
    }
    switch source.read(true) {
    case .success(let loaded):
      for warning in loaded.warnings { log.warn("\(source.name): \(warning.line)") }
      log.note("read the manifest again: \(source.name)")
      return .manifest(loaded.manifest)
    case .failure(let error): return refused(error.lines)
    }
  }

  private func refused(_ flaws: [String]) -> ManifestReading {
    log.warn("cannot use the new manifest; the broker keeps the old one")
    for flaw in flaws { log.warn(flaw) }
    return .refused(flaws)
  }
}

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
