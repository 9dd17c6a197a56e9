import SceneModel

/// What the application decides by itself: how many scenes are in the foreground, and which leave
/// the background.
extension Broker {
  // MARK: - The foreground

  /// A scene has a target in the foreground. The least recently activated scenes beyond the limit
  /// go to the background. The scene does not wait for them, so that a hung client keeps no other
  /// scene out.
  mutating func enterForeground(_ identifier: SessionIdentifier) {
    guard let scene = scenes[identifier], scene.target >= .foregroundInactive else { return }
    // An interruption is no activation.
    if scene.target == .foregroundActive {
      lastForegroundOrder += 1
      scenes[identifier]?.enteredForeground(order: lastForegroundOrder)
    }
    enforceForegroundPolicy()
  }

  /// The least recently active makes room.
  mutating func enforceForegroundPolicy() {
    guard case .atMost(let most) = manifest.policies.foreground else { return }
    let front = scenes.filter { identifier, scene in
      // What only shows something takes no part in who is in front.
      scene.target >= .foregroundInactive
        && store.listed(identifier)?.attributes.role.ceiling == .foregroundActive
    }
    guard front.count > most else { return }
    let oldestFirst = front.sorted {
      ($0.value.foregroundOrder, $0.key) < ($1.value.foregroundOrder, $1.key)
    }
    for (identifier, _) in oldestFirst.prefix(front.count - most) {
      setTarget(of: identifier, to: .background, by: nil, reason: Self.foregroundPolicyReason)
      advanceLifecycle(of: identifier)
    }
  }

  private static let foregroundPolicyReason = "foregroundPolicy"

  // MARK: - The background

  /// Scenes that rest in the background and that nothing keeps there, least recently used first.
  var restingInBackground: [SessionIdentifier] { unkept { restsInBackground($0) } }

  /// Of the scenes that no assertion keeps where they are, some, least recently used first.
  func unkept(where suits: (SessionIdentifier) -> Bool) -> [SessionIdentifier] {
    store.inOrderOfUse(scenes.filter { $0.value.assertions.isEmpty && suits($0.key) }.keys)
  }

  private func restsInBackground(_ identifier: SessionIdentifier) -> Bool {
    scenes[identifier]?.state == .background && isAtRest(identifier)
  }

  /// Notes that a scene has entered the background.
  mutating func noteBackground(_ identifier: SessionIdentifier) {
    lastBackgroundOrder += 1
    scenes[identifier]?.enteredBackground(order: lastBackgroundOrder, at: now.monotonic)
  }

  /// The scenes that the policy reclaims. The scenes that entered the background first come first:
  /// the order of use would put a scene that has just left the foreground before older ones.
  var beyondReclaimPolicy: [SessionIdentifier] {
    let policy = manifest.policies.reclaim
    let resting = restingInBackground.map { (scenes[$0]?.backgroundOrder ?? 0, $0) }
      .sorted { $0 < $1 }.map(\.1)
    let all = scenes.keys.count { restsInBackground($0) }
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
      setTarget(of: identifier, to: .unattached, departure: Departure(reason: .reclaimed), by: nil)
      advanceLifecycle(of: identifier)
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

  mutating func beginAssertion(_ message: BeginAssertion, _ requester: Requester) {
    do throws(BrokerError) {
      try checkMayChange(message.session, requester)
      guard let scene = scenes[message.session] else { throw unattached(message.session) }
      try check(title: message.name, "name")
      guard !message.name.isEmpty else {
        throw BrokerError(
          .invalidParams, "name: must not be empty; give the purpose of the assertion")
      }
      guard let time = Interval(seconds: message.seconds), time <= Assertion.longest else {
        throw BrokerError(.invalidParams, "seconds: expected a number from 0 to 86400")
      }
      guard scene.assertions.count < Assertion.most else {
        throw BrokerError(
          .tooMany, "\(label(of: message.session)) already has \(Assertion.most) assertions")
      }
      lastAssertion += 1
      scenes[message.session]?.add(Assertion(identifier: lastAssertion, name: message.name))
      effects.timers.append(.set(.assertion(message.session, lastAssertion), time))
      reply(
        requester, .asserted(BeginAssertion.Reply(assertion: lastAssertion)), about: message.session
      )
    } catch {
      refuse(requester, error)
    }
  }

  mutating func endAssertion(_ message: EndAssertion, _ requester: Requester) {
    do throws(BrokerError) {
      let found = scenes.first { scene in
        scene.value.assertions.contains { $0.identifier == message.assertion }
      }
      guard let identifier = found?.key else {
        throw BrokerError(
          .requestDenied, "there is no assertion \(message.assertion); it may have expired")
      }
      try checkMayChange(identifier, requester)
      effects.timers.append(.cancel(.assertion(identifier, message.assertion)))
      endAssertion(message.assertion, of: identifier)
      reply(requester, .empty, about: identifier)
    } catch {
      refuse(requester, error)
    }
  }

  /// It was ended, or has run out.
  mutating func endAssertion(_ assertion: Int64, of identifier: SessionIdentifier) {
    scenes[identifier]?.removeAssertion(assertion)
    mustLookAtBackground = true
  }

  // MARK: - Telling everyone

  mutating func warnOfMemory(_ requester: Requester) {
    tellEveryone(.memoryWarning)
    disconnect(restingInBackground, for: requester, .empty)
  }

  mutating func tellOfTimeChange(_ requester: Requester) {
    tellEveryone(.significantTimeChange)
    reply(requester, .empty, about: nil)
  }

  private mutating func tellEveryone(_ notification: BrokerNotification) {
    for connection in clients.initialized {
      send(.notification(notification), to: connection, about: nil)
    }
  }
}
