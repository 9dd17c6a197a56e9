import SceneModel

extension StoredState {
  /// Every invariant of the stored state that does not hold, as a sentence. `apply` keeps those of
  /// sessions without a process for every record.
  func flaws(ofAllSessions: Bool) -> [String] {
    var flaws = ofAllSessions ? flawsOfSessions : []
    for identifier in sessionsOfProcesses {
      self[identifier]?.check(as: identifier, lastOrder: lastOrder, &flaws)
    }
    for (name, topic) in topics { flaws += topic.flaws(named: name) }
    if eventByteCount != topics.values.reduce(0, { $0 + $1.byteCount }) {
      flaws.append("the byte count of the stored events is wrong")
    }
    return flaws
  }

  private var flawsOfSessions: [String] {
    var flaws: [String] = []
    var named = 0
    var bytes = discarded.reduce(0) { $0 + $1.session.byteCount }
    let trashed = trash.values.reduce(0) { $0 + $1.session.byteCount }
    if trashed != trashByteCount { flaws.append("the byte count of the trash is wrong") }
    bytes += trashed
    for (identifier, trashed) in trash {
      let hold = trashed.session.hold
      if sessions[identifier] != nil { flaws.append("\(identifier) is stored and in the trash") }
      if hold.holder != nil || hold.previousHolder != nil {
        flaws.append("a process has \(identifier), which is in the trash")
      }
    }
    for (identifier, session) in sessions {
      bytes += session.byteCount
      if let name = session.attributes.name {
        named += 1
        if names[name] != identifier { flaws.append("two sessions have the name \(name)") }
      }
      if session.hold.belongsToProcess != sessionsOfProcesses.contains(identifier) {
        flaws.append("the index of processes has a wrong entry for \(identifier)")
      }
      if !session.hold.belongsToProcess {
        session.check(as: identifier, lastOrder: lastOrder, &flaws)
      }
    }
    if !sessionsOfProcesses.isSubset(of: sessions.keys) {
      flaws.append("the index of processes has an unknown session")
    }
    if named != names.count {
      flaws.append("the index of names differs from the names of the sessions")
    }
    if bytes != byteCount { flaws.append("\(bytes) bytes are stored, \(byteCount) counted") }
    return flaws
  }
}

extension StoredSession {
  fileprivate func check(
    as identifier: SessionIdentifier, lastOrder: Int64, _ flaws: inout [String]
  ) {
    if attributes.identifier != identifier { flaws.append("\(identifier) is stored as another") }
    // Only a mistake of the code makes it wrong, and the broker checks its sessions when it starts.
    assert(isByteCountValid, "the byte count of \(identifier) is wrong")
    if hold.session != identifier {
      flaws.append("\(identifier) has the hold record of another session")
    }
    if hold.order > lastOrder {
      flaws.append("the order of \(identifier) exceeds the last order")
    }
    if hold.holder != nil, hold.end != nil {
      flaws.append("\(identifier) is held and has an end")
    }
    if generations.count > Self.generationsKept || !generations.lazy.map(\.number).isStrictlyRising
    {
      flaws.append("\(identifier) has the generations \(generations.map(\.number))")
    }
  }
}

extension Topic {
  /// Every invariant of the topic that does not hold, as a sentence.
  func flaws(named name: String) -> [String] {
    var flaws: [String] = []
    if attributes.name != name { flaws.append("topic \(name) has another name") }
    if events.count > attributes.keep { flaws.append("topic \(name) keeps more than it may") }
    var number = attributes.after
    var bytes = 0
    for event in events {
      number += 1
      bytes += event.byteCount
      if event.number != number || event.topic != name {
        flaws.append(
          "event \(event.number) of topic \(event.topic) is number \(number) of \(name)")
      }
    }
    if bytes != byteCount { flaws.append("the byte count of topic \(name) is wrong") }
    return flaws
  }
}
