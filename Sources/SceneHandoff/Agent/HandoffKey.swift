package import SceneModel

/// A key below `/scene/USER/APPLICATION/`.
package enum HandoffKey: Hashable, Sendable {
  case presence(host: String)
  case owner(SessionIdentifier)
  case entry(SessionIdentifier)
  case request(SessionIdentifier)
  case conflict(SessionIdentifier, host: String, generation: Int64)
  // Agents do not watch these.
  case content(SessionIdentifier)
  case files(SessionIdentifier)
  case conflictContent(SessionIdentifier, host: String, generation: Int64)

  private var path: String {
    switch self {
    case .presence(let host): "i/h/\(host)"
    case .owner(let session): "i/o/\(session)"
    case .entry(let session): "i/m/\(session)"
    case .request(let session): "i/r/\(session)"
    case .conflict(let session, let host, let generation): "i/c/\(session)/\(host)-\(generation)"
    case .content(let session): "p/\(session)"
    case .files(let session): "d/\(session)"
    case .conflictContent(let session, let host, let generation):
      "f/\(session)/\(host)-\(generation)"
    }
  }

  package func text(below prefix: String) -> String { prefix + path }

  /// A watched key; nil for any other text.
  package init?(_ key: String, below prefix: String) {
    guard key.hasPrefix(prefix + "i/") else { return nil }
    let parts = key.dropFirst(prefix.utf8.count + 2).split(
      separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2, parts[0] == "h" {
      self = .presence(host: String(parts[1]))
      return
    }
    guard parts.count >= 2, let session = SessionIdentifier(String(parts[1])) else { return nil }
    switch (parts[0], parts.count) {
    case ("o", 2): self = .owner(session)
    case ("m", 2): self = .entry(session)
    case ("r", 2): self = .request(session)
    case ("c", 3):
      guard let dash = parts[2].lastIndex(of: "-"),
        let generation = Int64(parts[2][parts[2].index(after: dash)...])
      else { return nil }
      self = .conflict(session, host: String(parts[2][..<dash]), generation: generation)
    default: return nil
    }
  }
}
