import SceneJSON
import SceneModel

/// The members that the user info of a session must have.
struct UserInfoFilter {
  private let wanted = JSONDocument()
  private let candidate = JSONDocument()

  init(_ object: OpaqueObject) { Self.read(object, into: wanted) }

  func matches(_ object: OpaqueObject) -> Bool {
    Self.read(object, into: candidate)
    return wanted.root.members.allSatisfy { name, value in
      guard let member = candidate.root.member(named: name.string ?? "") else { return false }
      return member.isSameValue(as: value)
    }
  }

  private static func read(_ object: OpaqueObject, into document: JSONDocument) {
    do throws(JSONError) {
      try document.read(object.json.bytes.span)
    } catch {
      preconditionFailure("invalid object in a checked request: \(error)")
    }
  }
}
