import SceneModel

/// Errors that several requests have in common.
///
/// A label is the name of a session, or the beginning of its identifier.
extension BrokerError {
  static var shuttingDown: BrokerError {
    BrokerError(.shuttingDown, "the application is shutting down; start the broker again")
  }

  /// The client sends the request to the next program.
  static var upgrading: BrokerError {
    BrokerError(
      .shuttingDown, "the broker is being upgraded; connect and send the request again",
      retry: .now)
  }

  static func tooLarge(_ what: String, limit: Int) -> BrokerError {
    BrokerError(.tooLarge, "\(what) is larger than the limit of \(limit) bytes")
  }

  // MARK: - Sessions

  static func noSession(_ identifier: SessionIdentifier) -> BrokerError {
    BrokerError(.sessionNotFound, "there is no session \(identifier)")
  }

  static func noSession(named name: String) -> BrokerError {
    BrokerError(.sessionNotFound, "no session is called \(name.clipped(to: 100))")
  }

  /// `what` has or is for a role, as `verb` says, and another one was requested.
  static func wrongRole(
    _ what: String, _ verb: String, _ role: Role, _ wanted: Role
  ) -> BrokerError {
    let name = role.rawValue.clipped(to: 100)
    return BrokerError(
      .wrongRole,
      "\(what) \(verb) the role \(name), not \(wanted.rawValue.clipped(to: 100)); "
        + "use that role, for example with --role \(name)")
  }

  /// `existing` is the label of the session that the role has.
  static func noSecondSession(existing: String? = nil) -> BrokerError {
    let reason = existing.map { ": there is \($0)" } ?? ""
    return BrokerError(
      .multipleScenesNotSupported, "the manifest does not allow a second session\(reason)")
  }

  // MARK: - Holders

  static func reserved(_ label: String, for process: ClientProcess) -> BrokerError {
    BrokerError(
      .sessionInUse, "\(label) is reserved for its previous holder, process \(process.pid)",
      retry: .later)
  }

  static func held(_ label: String, by client: ClientReference?) -> BrokerError {
    let holder = client?.clipped(to: 100).label ?? "a client"
    return BrokerError(.sessionInUse, "\(label) is held by \(holder)")
  }

  static func unattached(_ label: String) -> BrokerError {
    BrokerError(.sessionNotHeld, "\(label) is unattached; activate it first")
  }

  static func disconnecting(_ label: String) -> BrokerError {
    BrokerError(.sessionNotHeld, "\(label) is being disconnected right now", retry: .now)
  }

  // MARK: - Launches

  /// `target` is the label of a session or the name of a configuration.
  static func startLimitReached(
    by program: String, count: Int, for target: String, problem: String?, pause: Interval?
  ) -> BrokerError {
    BrokerError(
      .launchFailed,
      "the broker started \(program) \(count == 1 ? "once" : "\(count) times") for \(target): "
        + "the \(count == 1 ? "" : "last ")process \(problem ?? "failed"); "
        + "see its output in the broker's log"
        + (pause.map { "; the program can start again \(end(of: $0))" } ?? ""))
  }

  /// `target` is the name of a configuration. The launch has started no process.
  static func startPostponed(
    of program: String, count: Int, for target: String, problem: String?, pause: Interval
  ) -> BrokerError {
    BrokerError(
      .launchFailed,
      "the broker did not start \(program): it failed \(count) times for \(target) within 10 s, "
        + "and the last process \(problem ?? "failed"); "
        + "the program can start again \(end(of: pause))")
  }

  private static func end(of pause: Interval) -> String {
    "in \(Int(pause.seconds.rounded(.up))) s, or at once after: scenectl manifest reload"
  }

  /// `session` is nil for a session that does not exist yet.
  static func noLaunchCommand(_ label: String, _ session: SessionIdentifier?) -> BrokerError {
    BrokerError(
      .noHost,
      "no connected client can host \(label), and the manifest no longer has a launch command for "
        + "it; start a client and try again",
      session: session)
  }

  // MARK: - Activations

  static func endedEarly(_ label: String) -> BrokerError {
    BrokerError(
      .sessionNotHeld, "the scene of \(label) ended before it reached its target state",
      retry: .now)
  }

  static func tooManyDeliveries(to label: String, limit: Int) -> BrokerError {
    BrokerError(.tooMany, "\(label) already has \(limit) pending deliveries")
  }
}
