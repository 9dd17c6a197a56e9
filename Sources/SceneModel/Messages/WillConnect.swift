/// The first callback of a scene's life: which session, where it was, and why it is wanted now.
package struct WillConnect: JSONStructure, Equatable, Sendable {
  package var session: SessionIdentifier = .none
  package var sceneSession = SceneSessionRecord()
  package var isNew = false
  package var reason: ConnectReason = .launch
  /// Shown when the client resumes.
  package var hold: Int64 = 0
  /// The configuration the session was made with, when the manifest has it no longer.
  package var missingConfiguration: String?
  /// The activity that is kept from the scene, which begins without one.
  package var withheld: Withholding?
  package var options: ConnectionOptions = .none

  package init() {}

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("session", &session)
    try visitor.required("sceneSession", &sceneSession)
    try visitor.required("isNew", &isNew)
    try visitor.required("reason", &reason)
    try visitor.required("hold", &hold)
    try visitor.optional("missingConfiguration", &missingConfiguration)
    try visitor.optional("withheld", &withheld)
    try visitor.required("options", &options)
  }
}
