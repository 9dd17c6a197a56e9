import SceneModel

/// What the application decides by itself: how many scenes are in the foreground, and which leave
/// the background.
extension Broker {
  // MARK: - The foreground

  /// A scene was sent to the foreground: one that is to be active is the newest there, and whoever
  /// is one too many goes. It is not waited for, so nobody who hangs keeps another out.
  mutating func enterForeground(_ identifier: SessionIdentifier) {
    guard let scene = scenes[identifier], scene.target >= .foregroundInactive else { return }
    // An interruption activates nobody.
    if scene.target == .foregroundActive {
      lastForegroundOrder += 1
      scenes[identifier]?.foregroundOrder = lastForegroundOrder
    }
    enforceForegroundPolicy()
  }

  /// The least recently active makes room.
  mutating func enforceForegroundPolicy() {
    guard case .atMost(let most) = manifest.policies.foreground else { return }
    let front = scenes.filter { identifier, scene in
      // What only shows something takes no part in who is in front.
      scene.target >= .foregroundInactive
        && session(identifier)?.attributes.role.ceiling == .foregroundActive
    }
    guard front.count > most else { return }
    let oldestFirst = front.sorted {
      ($0.value.foregroundOrder, $0.key) < ($1.value.foregroundOrder, $1.key)
    }
    for (identifier, _) in oldestFirst.prefix(front.count - most) {
      aim(identifier, at: .background, by: nil, reason: Self.foregroundPolicyReason)
      walk(identifier)
    }
  }

  private static let foregroundPolicyReason = "foregroundPolicy"

  // MARK: - The background

  /// Scenes that rest in the background and that nothing keeps there, least recently used first.
  var restingInBackground: [SessionIdentifier] { unkept(where: \.restsInBackground) }

  /// Of the scenes that no assertion keeps where they are, some, least recently used first.
  func unkept(where suits: (LiveScene) -> Bool) -> [SessionIdentifier] {
    inOrderOfUse(scenes.filter { $0.value.assertions.isEmpty && suits($0.value) }.keys)
  }

  /// Notes that a scene has entered the background.
  mutating func noteBackground(_ identifier: SessionIdentifier) {
    lastBackgroundOrder += 1
    scenes[identifier]?.backgroundSince = now.monotonic
    scenes[identifier]?.backgroundOrder = lastBackgroundOrder
  }

  /// The scenes that the policy reclaims. The scenes that entered the background first come first:
  /// the order of use would put a scene that has just left the foreground before older ones.
  var beyondReclaimPolicy: [SessionIdentifier] {
    let policy = manifest.policies.reclaim
    let resting = restingInBackground.map { (scenes[$0]?.backgroundOrder ?? 0, $0) }
      .sorted { $0 < $1 }.map(\.1)
    let all = scenes.values.count(where: \.restsInBackground)
    let tooMany = policy.count.map { max(0, all - $0) } ?? 0
    return resting.enumerated().filter { index, identifier in
      index < tooMany || isTooOld(identifier, policy)
    }
    .map(\.element)
  }

  private func isTooOld(_ identifier: SessionIdentifier, _ policy: ReclaimPolicy) -> Bool {
    guard let age = policy.age, let since = scenes[identifier]?.backgroundSince else {
      return false
    }
    return now.monotonic - since >= age.nanoseconds
  }

  /// Disconnects what the policy does not let stay, where something has changed since it was last
  /// looked at.
  mutating func reclaimByPolicy() {
    guard mustLookAtBackground else { return }
    mustLookAtBackground = false
    guard manifest.policies.reclaim != ReclaimPolicy(), !isShuttingDown else { return }
    for identifier in beyondReclaimPolicy {
      aim(identifier, at: .unattached, departure: Departure(reason: .reclaimed), by: nil)
      walk(identifier)
    }
    guard let age = manifest.policies.reclaim.age else { return }
    let oldest = restingInBackground.compactMap { scenes[$0]?.backgroundSince }.min()
    if let oldest {
      let left = max(0, oldest + age.nanoseconds - now.monotonic)
      effects.timers.append(.set(.reclaim, Interval(nanoseconds: left)))
    } else {
      effects.timers.append(.cancel(.reclaim))
    }
  }

  // MARK: - Being kept there

  mutating func beginAssertion(_ message: BeginAssertion, _ asker: Asker) {
    do throws(BrokerError) {
      try checkMayChange(message.session, asker)
      guard let scene = scenes[message.session] else { throw unattached(message.session) }
      try check(title: message.name, "name")
      guard !message.name.isEmpty else {
        throw BrokerError(.invalidParams, "name: must not be empty; say what it is for")
      }
      guard let time = Interval(seconds: message.seconds), time <= Assertion.longest else {
        throw BrokerError(.invalidParams, "seconds: expected a number from 0 to 86400")
      }
      guard scene.assertions.count < Assertion.most else {
        throw BrokerError(
          .tooMany, "\(label(of: message.session)) has \(Assertion.most) assertions already")
      }
      lastAssertion += 1
      scenes[message.session]?.assertions.append(
        Assertion(identifier: lastAssertion, name: message.name))
      effects.timers.append(.set(.assertion(message.session, lastAssertion), time))
      reply(
        asker, .asserted(BeginAssertion.Reply(assertion: lastAssertion)), about: message.session)
    } catch {
      refuse(asker, error)
    }
  }

  mutating func endAssertion(_ message: EndAssertion, _ asker: Asker) {
    do throws(BrokerError) {
      let found = scenes.first { scene in
        scene.value.assertions.contains { $0.identifier == message.assertion }
      }
      guard let identifier = found?.key else {
        throw BrokerError(
          .requestDenied, "there is no assertion \(message.assertion); it may have run out")
      }
      try checkMayChange(identifier, asker)
      effects.timers.append(.cancel(.assertion(identifier, message.assertion)))
      endAssertion(message.assertion, of: identifier)
      reply(asker, .empty, about: identifier)
    } catch {
      refuse(asker, error)
    }
  }

  /// It was ended, or has run out.
  mutating func endAssertion(_ assertion: Int64, of identifier: SessionIdentifier) {
    scenes[identifier]?.assertions.removeAll { $0.identifier == assertion }
    mustLookAtBackground = true
  }

  // MARK: - Telling everyone

  mutating func warnOfMemory(_ asker: Asker) {
    tellEveryone(.memoryWarning)
    disconnect(restingInBackground, for: asker, .empty)
  }

  mutating func tellOfTimeChange(_ asker: Asker) {
    tellEveryone(.significantTimeChange)
    reply(asker, .empty, about: nil)
  }

  private mutating func tellEveryone(_ notification: BrokerNotification) {
    for connection in peers.keys.sorted() where peers[connection]?.client != nil {
      send(.notification(notification), to: connection, about: nil)
    }
  }
}

/// What keeps a scene from being reclaimed.
struct Assertion: Equatable {
  let identifier: Int64
  let name: String

  static let longest = Interval.seconds(86_400)
  static let most = 64
}
