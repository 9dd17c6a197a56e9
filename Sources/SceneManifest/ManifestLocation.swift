/// A value and its path.
struct ManifestLocation {
  let node: ManifestNode
  let path: String

  func flaw(_ problem: String) -> ManifestDiagnostic {
    ManifestDiagnostic(path, problem, at: node.offset)
  }

  func expected(_ what: String) -> ManifestDiagnostic {
    flaw("expected \(what), found \(node.kind)")
  }

  /// The elements of an array; nil for another kind.
  var elements: [ManifestLocation]? {
    guard case .array(let nodes) = node.value else { return nil }
    return nodes.enumerated().map { ManifestLocation(node: $1, path: "\(path)[\($0)]") }
  }

  /// The members of an object; nil for another kind.
  var members: [(name: String, place: ManifestLocation)]? {
    guard case .object(let members) = node.value else { return nil }
    return members.map { ($0.name, ManifestLocation(node: $0.value, path: path(to: $0.name))) }
  }

  /// Quotes a name that is no plain word, so that dots and brackets in a path are unambiguous.
  func path(to member: String) -> String {
    let isPlain = !member.isEmpty && member.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    guard isPlain else { return "\(path)[\"\(member)\"]" }
    return path.isEmpty ? member : "\(path).\(member)"
  }
}
