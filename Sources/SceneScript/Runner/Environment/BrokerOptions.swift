import SceneModel
import ScenePlatform

/// The options of `scened` that the invariants depend on.
struct BrokerOptions {
  let words: [String]

  /// The value of an option; the last occurrence counts.
  private func value(of option: String) -> String? {
    var value: String?
    for (index, word) in words.enumerated() {
      if word.hasPrefix(option + "=") { value = String(word.dropFirst(option.count + 1)) }
      if word == option, index + 1 < words.count { value = words[index + 1] }
    }
    return value
  }

  /// The state directory; nil for a broker that stores nothing.
  func state(default directory: String) -> String? {
    value(of: "--durability") == "none" ? nil : value(of: "--state") ?? directory
  }

  /// The declarations of the manifest, with a path relative to the workplace.
  func declarations(in workplace: String) -> DeclaredManifest {
    var declared = DeclaredManifest()
    if let name = value(of: "--manifest") {
      let path = name.hasPrefix("/") ? name : workplace + "/" + name
      // The broker does not start if the manifest cannot be read, so the default is harmless.
      let text = try? File.read(path, limit: 1 << 20)
      declared = text.map { DeclaredManifest(reading: $0) } ?? declared
    }
    let delegate = value(of: "--application-delegate")
    if let participation = delegate.flatMap(DelegateParticipation.init) {
      declared.applicationDelegate = participation
    }
    return declared
  }
}
