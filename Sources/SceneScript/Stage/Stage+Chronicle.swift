import SceneModel
import ScenePlatform

/// What is noted of what happens, for whoever looks at it in the end.
extension Stage {
  /// Takes over what clients were told is saved.
  func noteSaving() {
    for player in allPlayers { chronicle.take(player) }
  }

  /// What is told from here on is that of another broker, with these options.
  func beginLife(_ options: [String]) {
    noteSaving()
    let keepsNothing = options.value(of: "--durability") == "none"
    let state = keepsNothing ? nil : options.value(of: "--state") ?? directory + "/state"
    chronicle.beginLife(state: state, declared: declarations(of: options))
  }

  private func declarations(of options: [String]) -> StagedManifest {
    var declared = StagedManifest()
    if let name = options.value(of: "--manifest") {
      let path = name.hasPrefix("/") ? name : workplace + "/" + name
      // A broker that cannot read it does not start.
      let text = try? File.read(path, limit: 1 << 20)
      declared = text.map { StagedManifest(reading: $0) } ?? declared
    }
    let delegate = options.value(of: "--application-delegate")
    if let part = delegate.flatMap(DelegateParticipation.init) {
      declared.applicationDelegate = part
    }
    return declared
  }

  /// Nothing is under way, and everything that was told has been heard.
  func noteRest() {
    guard broker != nil else { return }
    // What we observe ourselves, we do not read for long.
    let silent = allPlayers.filter(\.isFrozen).map(\.process.pid) + [ProcessIdentity.currentPID]
    chronicle.rest(silent: Set(silent.map(Int64.init)))
  }

  /// Somebody is about to ask for something in these words. Whether a discard of a broker that dies
  /// before it tells of it was done, nobody knows; and of what is discarded while none runs, none
  /// tells.
  func noteDiscard(_ words: [String], of player: Player? = nil) {
    let words = words.flatMap { $0.split(whereSeparator: \.isWhitespace) }.map(String.init)
    guard isDoomed || broker == nil, words.contains("discard") else { return }
    chronicle.noteDiscard(words, of: player)
  }
}

extension [String] {
  /// What stands behind an option, which the last says that has it.
  fileprivate func value(of option: String) -> String? {
    var value: String?
    for (index, word) in enumerated() {
      if word.hasPrefix(option + "=") { value = String(word.dropFirst(option.count + 1)) }
      if word == option, index + 1 < count { value = self[index + 1] }
    }
    return value
  }
}
