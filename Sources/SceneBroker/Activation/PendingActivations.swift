import SceneModel

/// The work that waits for the scene of a session: waiters, deliveries, a refresh and the search
/// for a host.
///
/// The work stays when the scene moves to another host or to a launch. While a host takes over, the
/// work is suspended, so that a policy that moves the new scene at once does not answer its
/// waiters. `rehost` ends that.
struct PendingActivations {
  private var work: [SessionIdentifier: Work] = [:]
  private var batches = BatchReplies()
  private var lastDelivery: Int64 = 0

  private struct Work {
    var waiters: [ActivationWaiter] = []
    var deliveries = Deliveries()
    var mustRefresh = false
    /// Nil for a scene that its client connected itself.
    var assignment: HostAssignment?
    var isSuspended = false

    var isEmpty: Bool {
      waiters.isEmpty && deliveries.isEmpty && !mustRefresh && assignment == nil
    }
  }

  // MARK: - Waiters

  /// Lets a request wait for the scene of a session. `scene` is nil for a launch.
  ///
  /// A waiter of the scene's own client gets its reply now: it must not wait for a callback that
  /// its own client has to acknowledge.
  mutating func add(
    _ waiter: ActivationWaiter, to session: SessionIdentifier, _ scene: SceneStateMachine?
  ) -> WaiterReply? {
    if let scene, scene.holder == waiter.requester.connection {
      return reply(to: waiter, session, in: scene.state)
    }
    work[session, default: Work()].waiters.append(waiter)
    return nil
  }

  /// Opens a batch of `count` sessions. Each of its waiters has its number.
  mutating func openBatch(_ requester: Requester, _ reply: BrokerReply, count: Int) -> UInt64 {
    batches.open(requester, reply, count: count)
  }

  /// The reply for a waiter whose scene is in this state.
  mutating func reply(
    to waiter: ActivationWaiter, _ session: SessionIdentifier, in state: ActivationState
  ) -> WaiterReply? {
    switch waiter.kind {
    case .transition:
      WaiterReply(
        requester: waiter.requester,
        content: .reply(BrokerReply(SceneTransition.Reply(state: state))))
    case .activation(let isNew):
      WaiterReply(
        requester: waiter.requester,
        content: .reply(BrokerReply(RequestActivation.Reply(session: session, isNew: isNew))))
    case .batch(let number), .refresh(let number):
      completeBatch(number, session, isGone: state == .unattached)
    }
  }

  /// The scene is at rest at its target.
  mutating func completed(
    _ session: SessionIdentifier, in state: ActivationState
  ) -> [WaiterReply] {
    guard let waiters = work[session]?.waiters, !waiters.isEmpty else { return [] }
    work[session]?.waiters = []
    removeIfEmpty(session)
    return waiters.compactMap { reply(to: $0, session, in: state) }
  }

  /// The scene has another target. Waiters with a delivery stay, because the delivery may still
  /// fail.
  mutating func superseded(
    _ session: SessionIdentifier, in state: ActivationState
  ) -> [WaiterReply] {
    guard let pending = work[session], !pending.isSuspended, !pending.waiters.isEmpty else {
      return []
    }
    work[session]?.waiters = pending.waiters.filter(\.outlivesTarget).map {
      var waiter = $0
      waiter.isSuperseded = waiter.delivery != nil
      return waiter
    }
    removeIfEmpty(session)
    return pending.waiters.compactMap {
      $0.outlivesTarget ? nil : reply(to: $0, session, in: state)
    }
  }

  /// The client has acknowledged the last callback of a delivery.
  mutating func delivered(
    _ delivery: Int64, to session: SessionIdentifier, in state: ActivationState
  ) -> WaiterReply? {
    guard let waiters = work[session]?.waiters,
      let index = waiters.firstIndex(where: { $0.delivery == delivery })
    else { return nil }
    guard waiters[index].isSuperseded else {
      work[session]?.waiters[index].delivery = nil
      return nil
    }
    work[session]?.waiters.remove(at: index)
    removeIfEmpty(session)
    return reply(to: waiters[index], session, in: state)
  }

  /// Removes the activations of a scene whose end nothing can prevent any more.
  mutating func removeActivations(of session: SessionIdentifier) -> [Requester] {
    guard let waiters = work[session]?.waiters, !waiters.isEmpty else { return [] }
    work[session]?.waiters.removeAll(where: \.isActivation)
    removeIfEmpty(session)
    return waiters.filter(\.isActivation).map(\.requester)
  }

  /// The broker ends before the scene is at its target. Removes the waiters. A request that can be
  /// sent again has failed. An activation has no reply, because its client may have the new session
  /// or the content.
  mutating func interrupt(_ session: SessionIdentifier) -> [WaiterReply] {
    guard let pending = work[session] else { return [] }
    work[session]?.waiters = []
    removeIfEmpty(session)
    return pending.waiters.compactMap { waiter in
      switch waiter.kind {
      case .batch(let number), .refresh(let number): batches.interrupt(number)
      case .transition: WaiterReply(requester: waiter.requester, content: .failed)
      case .activation: nil
      }
    }
  }

  /// The scene or the launch has ended, and with it all work. `isHeldAgain` says whether another
  /// client has the session now.
  mutating func ended(
    _ session: SessionIdentifier, isHeldAgain: Bool = false
  ) -> [WaiterReply] {
    guard let ended = work.removeValue(forKey: session) else { return [] }
    return ended.waiters.compactMap { failure(of: $0, session, isHeldAgain: isHeldAgain) }
  }

  /// Removes the waiters of closed connections: a stuck scene must not collect them.
  mutating func removeWaiters(
    of session: SessionIdentifier, unless isConnected: (ConnectionIdentifier) -> Bool
  ) {
    let all = waiters(of: session)
    work[session]?.waiters = all.filter { isConnected($0.requester.connection) }
    for waiter in all where !isConnected(waiter.requester.connection) {
      if let number = waiter.batch { _ = batches.complete(number, session, isGone: true) }
    }
  }

  /// Whether to look for waiters of closed connections: from 256 on, each time the number has
  /// doubled.
  func mustSweep(_ session: SessionIdentifier) -> Bool {
    let count = work[session]?.waiters.count ?? 0
    return count >= 256 && count & (count - 1) == 0
  }

  // MARK: - Deliveries and refreshes

  /// Adds a delivery behind all others, and returns its number.
  mutating func deliver(_ callbacks: [Callback], to session: SessionIdentifier) -> Int64 {
    lastDelivery += 1
    work[session, default: Work()].deliveries.append(callbacks, lastDelivery)
    return lastDelivery
  }

  /// Adds the delivery of the first waiter before all others.
  mutating func deliverFirst(
    _ callbacks: [Callback], to session: SessionIdentifier, for requester: Requester?
  ) {
    lastDelivery += 1
    work[session, default: Work()].deliveries.prepend(callbacks, lastDelivery)
    if let first = work[session]?.waiters.first, first.requester == requester {
      work[session]?.waiters[0].delivery = lastDelivery
    }
  }

  /// The callback that the scene gets now, and the number of the delivery that it completes.
  mutating func nextDelivery(
    to session: SessionIdentifier, atRest: Bool
  ) -> (callback: Callback, completes: Int64?)? {
    guard work[session]?.isSuspended == false else { return nil }
    defer { removeIfEmpty(session) }
    return work[session]?.deliveries.next(atRest: atRest)
  }

  mutating func mustRefresh(_ session: SessionIdentifier) {
    work[session, default: Work()].mustRefresh = true
  }

  mutating func beganRefresh(of session: SessionIdentifier) {
    work[session]?.mustRefresh = false
    removeIfEmpty(session)
  }

  // MARK: - Hosts

  mutating func assign(_ session: SessionIdentifier, _ assignment: HostAssignment) {
    work[session, default: Work()].assignment = assignment
  }

  mutating func changeAssignment(
    of session: SessionIdentifier, _ change: (inout HostAssignment) -> Void
  ) {
    guard var assignment = work[session]?.assignment else { return }
    change(&assignment)
    work[session]?.assignment = assignment
  }

  /// A client becomes the scene of the session.
  mutating func suspend(_ session: SessionIdentifier) { work[session]?.isSuspended = true }

  /// The new scene continues the suspended work. A waiter of the host itself gets its reply now.
  mutating func rehost(
    _ session: SessionIdentifier, to host: ConnectionIdentifier, in state: ActivationState
  ) -> [WaiterReply] {
    guard let waiters = work[session]?.waiters else { return [] }
    work[session]?.isSuspended = false
    work[session]?.waiters.removeAll { $0.requester.connection == host }
    removeIfEmpty(session)
    return waiters.compactMap {
      $0.requester.connection == host ? reply(to: $0, session, in: state) : nil
    }
  }

  /// A launch continues the work of a scene. A launch has no states, so the waiters for one fail.
  mutating func rehostToLaunch(_ session: SessionIdentifier) -> [WaiterReply] {
    guard let waiters = work[session]?.waiters else { return [] }
    func stays(_ waiter: ActivationWaiter) -> Bool { waiter.isActivation || waiter.isRefresh }
    work[session]?.waiters = waiters.filter(stays)
    return waiters.compactMap {
      stays($0) ? nil : failure(of: $0, session, isHeldAgain: false)
    }
  }

  /// The search for a host is over. Returns the launch that found the host.
  mutating func removeAssignment(of session: SessionIdentifier) -> LaunchIdentifier? {
    guard let assignment = work[session]?.assignment else { return nil }
    work[session]?.assignment = nil
    removeIfEmpty(session)
    return assignment.launch
  }

  /// The scene has acknowledged a step: the queued deliveries may precede the next one.
  mutating func stepped(_ session: SessionIdentifier) { work[session]?.deliveries.makeReady() }

  // MARK: - Lookup

  func waiters(of session: SessionIdentifier) -> [ActivationWaiter] { work[session]?.waiters ?? [] }

  func assignment(of session: SessionIdentifier) -> HostAssignment? { work[session]?.assignment }

  func deliveryCount(of session: SessionIdentifier) -> Int { work[session]?.deliveries.count ?? 0 }

  /// The callbacks that the broker has not sent, oldest first.
  func queuedCallbacks(of session: SessionIdentifier) -> [Callback] {
    work[session]?.deliveries.callbacks ?? []
  }

  func hasDelivery(_ number: Int64, of session: SessionIdentifier) -> Bool {
    work[session]?.deliveries.contains(number) == true
  }

  /// Whether the scene is to be refreshed when it reaches its target.
  func awaitsRefresh(_ session: SessionIdentifier) -> Bool {
    guard let pending = work[session] else { return false }
    return pending.mustRefresh && !pending.isSuspended
  }

  /// Whether the scene gets callbacks besides those of its life cycle.
  func hasCallbacks(for session: SessionIdentifier) -> Bool {
    guard let pending = work[session], !pending.isSuspended else { return false }
    return pending.mustRefresh || !pending.deliveries.isEmpty
  }

  /// The sessions with work.
  var sessions: [SessionIdentifier] { Array(work.keys) }

  // MARK: - Internals

  private mutating func completeBatch(
    _ number: UInt64, _ session: SessionIdentifier, isGone: Bool
  ) -> WaiterReply? {
    batches.complete(number, session, isGone: isGone).map {
      WaiterReply(requester: $0.requester, content: .batch($0.reply))
    }
  }

  private mutating func failure(
    of waiter: ActivationWaiter, _ session: SessionIdentifier, isHeldAgain: Bool
  ) -> WaiterReply? {
    switch waiter.kind {
    case .transition: reply(to: waiter, session, in: .unattached)
    case .batch(let number): completeBatch(number, session, isGone: !isHeldAgain)
    case .refresh(let number): completeBatch(number, session, isGone: true)
    case .activation: WaiterReply(requester: waiter.requester, content: .failed)
    }
  }

  private mutating func removeIfEmpty(_ session: SessionIdentifier) {
    if work[session]?.isEmpty == true { work[session] = nil }
  }

  /// Every invariant of this part that does not hold, as a sentence.
  var flaws: [String] {
    var flaws: [String] = []
    var remaining: [UInt64: Int] = [:]
    for (session, pending) in work {
      if pending.isEmpty { flaws.append("\(session) has empty pending work") }
      if pending.isSuspended { flaws.append("the work of \(session) is suspended after the event") }
      for waiter in pending.waiters {
        if waiter.requester.request == nil {
          flaws.append("a request without a number waits for \(session)")
        }
        if waiter.isSuperseded, waiter.delivery == nil {
          flaws.append("a superseded request waits for \(session)")
        }
        if let number = waiter.batch { remaining[number, default: 0] += 1 }
      }
    }
    if remaining != batches.remaining {
      flaws.append("a batch waits for a different number of sessions than its waiters")
    }
    return flaws
  }
}

/// Content for a connected scene, which it gets between two steps, oldest first.
struct Deliveries {
  private struct Delivery {
    let number: Int64
    /// The callbacks that the broker has not sent.
    var callbacks: [Callback]
    var isBegun = false
  }

  private var queue: [Delivery] = []
  /// The number of deliveries that may precede the next step.
  private var readyCount = 0

  var isEmpty: Bool { queue.isEmpty }
  var count: Int { queue.count }
  var callbacks: [Callback] { queue.flatMap(\.callbacks) }

  func contains(_ number: Int64) -> Bool { queue.contains { $0.number == number } }

  mutating func append(_ callbacks: [Callback], _ number: Int64) {
    queue.append(Delivery(number: number, callbacks: callbacks))
  }

  mutating func prepend(_ callbacks: [Callback], _ number: Int64) {
    queue.insert(Delivery(number: number, callbacks: callbacks), at: 0)
  }

  /// The client has acknowledged a step: the queued deliveries may precede the next one.
  mutating func makeReady() { readyCount = queue.count }

  /// The next callback: at rest, of any delivery; between two steps, of a delivery that is ready or
  /// has begun. `completes` is the number of the delivery, if this is its last callback.
  mutating func next(atRest: Bool) -> (callback: Callback, completes: Int64?)? {
    guard let first = queue.first, atRest || readyCount > 0 || first.isBegun,
      let callback = first.callbacks.first
    else { return nil }
    if first.callbacks.count > 1 {
      queue[0].callbacks.removeFirst()
      queue[0].isBegun = true
      return (callback, nil)
    }
    queue.removeFirst()
    readyCount = max(0, readyCount - 1)
    return (callback, first.number)
  }
}
