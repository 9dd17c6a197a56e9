import JSON
package import SceneModel

/// What a broker's manifest declares, as far as the standing rules look at it.
///
/// It is read by itself, and as JSON: of another one nothing is known, and less is looked at.
package struct StagedManifest: Equatable, Sendable {
  package var durableTopics: Set<String> = []
  /// `builtIn` where it is not known.
  package var applicationDelegate = DelegateParticipation.standard

  package init() {}

  package init(reading text: ContiguousArray<UInt8>) {
    let document = JSONDocument()
    guard (try? document.read(text.span)) != nil, document.root.kind == .object else {
      applicationDelegate = .builtIn
      return
    }
    let root = document.root["UIApplicationSceneManifest"] ?? document.root
    if let delegate = root["applicationDelegate"] {
      applicationDelegate = delegate.string.flatMap(DelegateParticipation.init) ?? .builtIn
    }
    guard let topics = root["topics"], topics.kind == .object else { return }
    durableTopics = Set(
      topics.members.filter { $0.value["durable"]?.bool == true }.compactMap(\.name.string))
  }
}
