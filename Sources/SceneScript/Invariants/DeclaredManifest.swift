import SceneJSON
import SceneModel

/// The declarations of a manifest that the invariants depend on.
///
/// Reads JSON only, with its own parser. For another format the values mean unknown, so the
/// invariants check less.
struct DeclaredManifest: Equatable, Sendable {
  var durableTopics: Set<String> = []
  /// `builtIn` if unknown.
  var applicationDelegate = DelegateParticipation.standard

  init() {}

  init(reading text: ContiguousArray<UInt8>) {
    guard let document = JSONDocument(reading: text), document.root.kind == .object else {
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
