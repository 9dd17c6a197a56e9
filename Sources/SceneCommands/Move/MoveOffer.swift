import SceneJSON
package import SceneModel

extension MoveOffer {
  /// The offer of a session. Refuses if the session is at a third host. `options` select this
  /// broker in a command line.
  package init(
    _ details: SessionDetails, from host: String, to target: String, isCopy: Bool = false,
    options: String = ""
  ) throws(MoveRefusal) {
    let summary = details.summary
    self.init()
    self.host = host
    self.target = target
    self.isCopy = isCopy
    session = summary.session
    name = summary.name
    generation = summary.generation
    program = summary.program
    program?.environment = nil
    files = details.sceneSession.stateRestorationActivity?.filePaths ?? []
    fence = summary.fence ?? 0
    guard let away = summary.away, !isCopy else { return }
    // The files here are not complete, so the target must not get them.
    guard away.to == target, !away.isArriving else {
      throw MoveRefusal("\(label) \(away.place(of: summary.argument, options))")
    }
    fence = away.fence
    isAway = true
    hasArrived = away.isConfirmed
  }

  /// The fence of the target's own copy; 0 without one. Refuses if the move would make a second
  /// present session, or replace a newer one.
  package func fence(besides own: SessionSummary?) throws(MoveRefusal) -> Int64 {
    guard !isCopy else { return 0 }
    guard let own else {
      guard hasArrived else { return 0 }
      throw MoveRefusal(
        "\(label) was moved to \(target) and discarded there; make it present again with: "
          + "scenectl move \(label) --from \(target) --force")
    }
    guard let away = own.away else {
      guard isAway, own.fence == fence else {
        throw MoveRefusal(
          "\(label) is present at both hosts; to make a copy of the other one, use --copy")
      }
      return fence
    }
    guard !isAway || away.fence <= fence else {
      throw MoveRefusal("\(label) has moved on from \(target) to \(away.to)")
    }
    return away.fence
  }
}

extension Activity {
  /// The absolute paths in the member `files`.
  fileprivate var filePaths: [String] {
    guard let document = JSONDocument(reading: json.bytes) else { return [] }
    let list = document.root["userInfo"]?["files"] ?? document.root["files"]
    return list?.elements.compactMap(\.string).filter {
      $0.hasPrefix("/") && !$0.contains("\n")
    } ?? []
  }
}
