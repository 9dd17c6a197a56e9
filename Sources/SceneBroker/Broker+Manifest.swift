import JSON
package import SceneModel

/// What came of reading the manifest's file again.
package enum ManifestReading: Equatable, Sendable {
  case manifest(Manifest)
  /// Why it is not used, for people: a line for each flaw.
  case refused([String])
}

/// A manifest that changes while the application runs. Sessions keep the configuration they were
/// made with, and scenes stay where they are: what changes is what is done from then on.
extension Broker {
  mutating func reload(_ asker: Asker) {
    guard !isShuttingDown else { return refuse(asker, shuttingDown) }
    reloading.append(asker)
    effects.readsManifest = true
  }

  /// Nobody need have asked: the signal to read it again asks for itself.
  mutating func take(_ reading: ManifestReading) {
    if case .manifest(let manifest) = reading { adopt(manifest) }
    let askers = reloading
    reloading = []
    for asker in askers {
      switch reading {
      case .manifest: replyAboutAll(asker, .empty)
      case .refused(let flaws):
        refuse(
          asker,
          BrokerError(.requestDenied, list: flaws) { count in
            "and \(count) more; all of them are in the broker's log, and said by: "
              + "scenectl manifest check \(environment.manifestSource)"
          })
      }
    }
  }

  mutating func tellManifest(_ asker: Asker) {
    var writer = JSONWriter()
    manifest.write(to: &writer)
    replyAboutAll(
      asker,
      .manifest(
        ApplicationManifest.Reply(
          source: environment.manifestSource,
          manifest: CarriedObject(unchecked: RawJSON(unchecked: writer.bytes)))))
  }
}
