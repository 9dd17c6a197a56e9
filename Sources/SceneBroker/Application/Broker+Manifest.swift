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
  mutating func reload(_ requester: Requester) {
    guard !isShuttingDown else { return refuse(requester, shuttingDown) }
    completions.wait(for: .manifest, requester)
    effects.readsManifest = true
  }

  /// The event loop has read the manifest, for a request or a signal.
  mutating func take(_ reading: ManifestReading) {
    if case .manifest(let manifest) = reading { adopt(manifest) }
    for requester in completions.complete(.manifest) {
      switch reading {
      case .manifest: replyAboutAll(requester, .empty)
      case .refused(let flaws):
        refuse(
          requester,
          BrokerError(.requestDenied, list: flaws) { count in
            "and \(count) more; the broker's log lists all, as does: "
              + "scenectl manifest check \(environment.manifestSource)"
          })
      }
    }
  }

  mutating func tellManifest(_ requester: Requester) {
    var writer = JSONWriter()
    manifest.write(to: &writer)
    replyAboutAll(
      requester,
      .manifest(
        ApplicationManifest.Reply(
          source: environment.manifestSource,
          manifest: OpaqueObject(unchecked: RawJSON(unchecked: writer.bytes)))))
  }
}
