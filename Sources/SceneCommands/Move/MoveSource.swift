package import SceneModel

/// The end of a move that has the session, without input and output. Each event returns the next
/// action; the caller performs it and reports the outcome as the next event.
package struct MoveSource: Sendable {
  package enum Event: Equatable, Sendable {
    case line(MoveLine)
    /// The action succeeded.
    case done
    /// The broker released the session, or for a copy showed it.
    case content(MovedSession)
    /// The broker or the user's command refused the action. `isInUse` means that a client has the
    /// session.
    case refused(MoveRefusal, isInUse: Bool)
  }

  package enum Action: Equatable, Sendable, MoveAction {
    case channel(MoveChannelAction)
    /// End the scene, which saves.
    case disconnect
    /// Release the session under this fence, and read its data directory.
    case release(fence: Int64)
    /// Read the session and its data directory.
    case show
    /// Note that the session has arrived.
    case confirm(fence: Int64)
    /// The target has refused the released session: make it present here again.
    case takeBack(MovedSession)
    case finish(MoveArrival)
    /// Tell the other end first, unless it refused itself.
    case fail(MoveRefusal, isFromOtherEnd: Bool)
  }

  private enum State: Sendable {
    case offering, awaitingAnswer, copyingFiles, disconnecting, releasing
    case sending(MovedSession), awaitingArrival(MovedSession), confirming(MoveArrival)
    case takingBack(MoveRefusal), ended
  }

  private let offer: MoveOffer
  private let hasScene: Bool
  private var state = State.offering
  private var fence: Int64
  private var attempts = 0

  /// A client can connect between the end of the scene and the release.
  private static let attemptLimit = 3

  package init(_ offer: MoveOffer, hasScene: Bool) {
    self.offer = offer
    self.hasScene = hasScene
    fence = offer.fence
  }

  /// The first action.
  package mutating func start() -> Action { .send(.offer(offer)) }

  /// Whether the session is away until the target answers.
  package var isUnconfirmed: Bool {
    switch state {
    case .sending, .awaitingArrival, .confirming: !offer.isCopy
    case .releasing: true
    default: offer.isAway && !offer.hasArrived
    }
  }

  package mutating func handle(_ event: Event) throws(MemberError) -> Action {
    switch (state, event) {
    case (.offering, .done):
      state = .awaitingAnswer
      return .readLine
    case (.awaitingAnswer, .line(.accept(let acceptance))):
      if !offer.isAway { fence = max(offer.fence, acceptance.fence) + 1 }
      state = .copyingFiles
      return offer.files.isEmpty ? begin() : .copyFiles(offer.files)
    case (.copyingFiles, .done):
      return begin()
    case (.disconnecting, .done):
      state = .releasing
      return .release(fence: fence)
    case (.releasing, .refused(_, isInUse: true)) where attempts < Self.attemptLimit:
      return disconnect()
    case (.releasing, .content(let session)):
      state = .sending(session)
      return .send(.session(session))
    case (.sending(let session), .done):
      state = .awaitingArrival(session)
      return .readLine
    case (.awaitingArrival, .line(.adopted(let arrival))):
      guard !offer.isCopy else { return finish(arrival) }
      state = .confirming(arrival)
      return .confirm(fence: fence)
    // An away session can have another end of a first attempt, which adopts it.
    case (.awaitingArrival(let session), .line(.refuse(let refusal)))
    where !offer.isCopy && !offer.isAway:
      state = .takingBack(refusal)
      return .takeBack(session.withFence(session.fence + 1))
    case (.confirming(let arrival), .done), (.confirming(let arrival), .refused):
      // The target has the session, so a refusal changes nothing.
      return finish(arrival)
    case (.takingBack(let refusal), .done):
      return fail(refusal, isFromOtherEnd: true)
    case (.takingBack(let refusal), .refused(let second, _)):
      let both = MoveRefusal("\(refusal.message); \(second.message)", status: refusal.status)
      return fail(both, isFromOtherEnd: true)
    case (.awaitingAnswer, .line(.refuse(let refusal))),
      (.awaitingArrival, .line(.refuse(let refusal))):
      return fail(refusal, isFromOtherEnd: true)
    case (_, .refused(let refusal, _)):
      return fail(refusal, isFromOtherEnd: false)
    case (_, .line(let line)):
      throw MemberError(problem: "unexpected line \"\(line.kind)\"")
    case (_, .done), (_, .content):
      preconditionFailure("no action has this outcome")
    }
  }

  private mutating func begin() -> Action {
    if offer.isCopy {
      state = .releasing
      return .show
    }
    if hasScene, !offer.isAway { return disconnect() }
    state = .releasing
    return .release(fence: fence)
  }

  private mutating func disconnect() -> Action {
    attempts += 1
    state = .disconnecting
    return .disconnect
  }

  private mutating func finish(_ arrival: MoveArrival) -> Action {
    state = .ended
    return .finish(arrival)
  }

  private mutating func fail(_ refusal: MoveRefusal, isFromOtherEnd: Bool) -> Action {
    state = .ended
    return .fail(refusal, isFromOtherEnd: isFromOtherEnd)
  }
}

extension MoveLine {
  /// The member's name.
  var kind: String {
    switch self {
    case .offer: "offer"
    case .accept: "accept"
    case .refuse: "refuse"
    case .session: "session"
    case .adopted: "adopted"
    }
  }
}

extension MovedSession {
  fileprivate func withFence(_ fence: Int64) -> MovedSession {
    var session = self
    session.fence = fence
    return session
  }
}
