/// A value, and where it stands.
struct ManifestPlace {
  let node: ManifestNode
  let path: String

  func flaw(_ problem: String) -> ManifestFlaw { ManifestFlaw(path, problem, at: node.offset) }

  func expected(_ what: String) -> ManifestFlaw { flaw("expected \(what), found \(node.kind)") }

  /// The elements of an array; nil if it is none.
  var elements: [ManifestPlace]? {
    guard case .array(let nodes) = node.value else { return nil }
    return nodes.enumerated().map { ManifestPlace(node: $1, path: "\(path)[\($0)]") }
  }

  /// The members of an object; nil if it is none.
  var members: [(name: String, place: ManifestPlace)]? {
    guard case .object(let members) = node.value else { return nil }
    return members.map { ($0.name, ManifestPlace(node: $0.value, path: path(to: $0.name))) }
  }

  /// A name that is no plain word is quoted, so that dots and brackets are always the path's own.
  func path(to member: String) -> String {
    let isPlain = !member.isEmpty && member.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    guard isPlain else { return "\(path)[\"\(member)\"]" }
    return path.isEmpty ? member : "\(path).\(member)"
  }
}
