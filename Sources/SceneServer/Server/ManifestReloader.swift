import SceneBroker
import SceneManifest

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
