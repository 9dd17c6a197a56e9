import SceneJSON
package import SceneModel

/// The outcome of a reload of the manifest's file.
package enum ManifestReading: Equatable, Sendable {
  case manifest(Manifest)
  /// The flaws of the manifest, for people, one line each.
  case refused([String])
}

/// A manifest that changes while the application runs. Sessions keep the configuration of their
/// creation, and scenes keep their state.
extension Broker {
  mutating func reload(_ requester: Requester) {
    guard !isShuttingDown else { return refuse(requester, .shuttingDown) }
    conditionWaiters.wait(for: .manifest, requester)
    effects.commands.append(.readManifest)
  }

  /// The event loop has read the manifest, for a request or a signal.
  mutating func manifestRead(_ reading: ManifestReading) {
    if case .manifest(let manifest) = reading { adopt(manifest) }
    for requester in conditionWaiters.complete(.manifest) {
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

  mutating func showManifest(_ requester: Requester) {
    replyAboutAll(
      requester,
      ApplicationManifest.Reply(source: environment.manifestSource, manifest: manifestObject))
  }

  /// The manifest in use, as a JSON file. A reader takes a literal `$(` as the begin of a variable.
  package var manifestObject: OpaqueObject {
    var writer = JSONWriter()
    manifest.write(to: &writer)
    let bytes = writer.bytes.replacing(Array("$(".utf8), with: Array("$$(".utf8))
    return OpaqueObject(unchecked: RawJSON(unchecked: bytes))
  }
}
