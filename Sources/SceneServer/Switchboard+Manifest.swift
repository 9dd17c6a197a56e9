import SceneBroker
import SceneManifest

/// Reading the manifest again.
extension Switchboard {
  package func readManifest() {
    let reading = manifestReading()
    switch reading {
    case .manifest: log.note("the manifest was read again: \(manifestSource?.name ?? "")")
    case .refused(let flaws):
      log.warn("the manifest stays as it was")
      for flaw in flaws { log.warn(flaw) }
    }
    handle(.manifestRead(reading))
  }

  private func manifestReading() -> ManifestReading {
    guard let manifestSource else {
      return .refused([
        "this broker was started without a manifest, so there is none to read again; start one "
          + "with --manifest FILE"
      ])
    }
    switch manifestSource.read(true) {
    case .success(let loaded):
      for warning in loaded.warnings { log.warn("\(manifestSource.name): \(warning.line)") }
      return .manifest(loaded.manifest)
    case .failure(let error): return .refused(error.lines)
    }
  }
}
