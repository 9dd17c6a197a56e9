/// The first callback of a scene: the session, its stored state and the reason of the connect.
package struct WillConnect: CallbackMessage {
  package var session: SessionIdentifier = .none
  package var sceneSession = SceneSessionRecord()
  package var isNew = false
  package var reason: ConnectReason = .launch
  /// The number that the client presents when it resumes.
  package var hold: Int64 = 0
  /// The session's original configuration, if the manifest no longer has it.
  package var missingConfiguration: String?
  /// The withheld activity. The scene begins without one.
  package var withheld: Withholding?
  package var options: ConnectionOptions = .none
  /// The variables of the user's login, for the program that `scene` starts again.
  package var environment: LoginEnvironment?

  package init() {}

  package var tracedReason: String? { reason.rawValue }
  package var tracedHold: Int64? { hold }

  package mutating func visitMembers<Visitor: MemberVisitor>(
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
    try visitor.optional("environment", &environment)
  }
}
