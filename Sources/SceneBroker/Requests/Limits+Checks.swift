import SceneModel

/// Checks the contents of requests.
extension Limits {
  func check(_ activity: Activity) throws(BrokerError) {
    guard activity.byteCount <= activityBytes else {
      throw BrokerError.tooLarge("activity", limit: activityBytes)
    }
  }

  func check(_ userInfo: OpaqueObject) throws(BrokerError) {
    guard userInfo.byteCount <= userInfoBytes else {
      throw BrokerError.tooLarge("userInfo", limit: userInfoBytes)
    }
  }

  func check(_ options: ConnectionOptions) throws(BrokerError) {
    guard options.byteCount <= optionsBytes else {
      throw BrokerError.tooLarge("options", limit: optionsBytes)
    }
  }

  func check(text: String?, _ what: String) throws(BrokerError) {
    guard text?.utf8.count ?? 0 <= titleBytes else {
      throw BrokerError.tooLarge(what, limit: titleBytes)
    }
  }

  func check(_ program: SessionProgram) throws(BrokerError) {
    if let problem = program.problem {
      throw BrokerError(.invalidParams, "program: \(problem)")
    }
    guard program.jsonByteCount <= programBytesAtMost else {
      throw BrokerError.tooLarge("program", limit: programBytesAtMost)
    }
  }

  func check(placement: OpaqueObject) throws(BrokerError) {
    guard placement.byteCount <= placementBytesAtMost else {
      throw BrokerError.tooLarge("placement", limit: placementBytesAtMost)
    }
  }

  /// The name of a session.
  func check(name: String?) throws(BrokerError) {
    guard let name else { return }
    try check(text: name, "name")
    if let problem = SessionName.problem(with: name) {
      throw BrokerError(.invalidParams, "the name \"\(name)\" \(problem)")
    }
  }

  /// A target content identifier, which the broker compares with the conditions of each session.
  func check(target: String?) throws(BrokerError) {
    try check(text: target, "targetContentIdentifier")
  }

  func check(snapshot: String?) throws(BrokerError) {
    guard snapshot?.utf8.count ?? 0 <= snapshotBytes else {
      throw BrokerError.tooLarge("snapshot", limit: snapshotBytes)
    }
  }
}
