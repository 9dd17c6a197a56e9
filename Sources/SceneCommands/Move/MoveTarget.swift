package import SceneHandoff
package import SceneModel

/// The end of a move that adopts the session, without input and output. See ``MoveSource``.
package struct MoveTarget: Sendable {
  package enum Event: Equatable, Sendable {
    case line(MoveLine)
    /// The action succeeded.
    case done
    /// The session can be adopted. The fence is that of the own copy, or 0. `canRun` is whether its
    /// program can run here.
    case checked(fence: Int64, canRun: Bool = true)
    /// The broker's reply to an adoption. `isNew` is false if the session was already present.
    case adopted(MoveArrival, isNew: Bool)
    case refused(MoveRefusal)
  }

  package enum Action: Equatable, Sendable, MoveAction {
    case channel(MoveChannelAction)
    /// Check that the session and its program can arrive.
    case check(MoveOffer)
    /// Adopt the session. `isArriving`: it stays away until its files are written.
    case adopt(MovedSession, isArriving: Bool)
    /// Replace the content of the data directory.
    case write([MovedFile])
    case finish(MoveOffer, MoveArrival)
    /// Tell the other end first, unless it refused itself.
    case fail(MoveRefusal, isFromOtherEnd: Bool)
  }

  private enum State: Sendable {
    case awaitingOffer
    case checking(MoveOffer), copyingFiles(MoveOffer, fence: Int64), accepting(MoveOffer)
    case awaitingSession(MoveOffer)
    case announcing(MoveOffer, MovedSession), writing(MoveOffer, MovedSession)
    case adopting(MoveOffer), answering(MoveOffer, MoveArrival), ended
  }

  private var state = State.awaitingOffer
  /// Adopts the session without its program if that cannot run here.
  private let leavesProgram: Bool

  package init(leavesProgram: Bool = false) { self.leavesProgram = leavesProgram }

  package mutating func start() -> Action { .readLine }

  /// The offer, after its line.
  package var offer: MoveOffer? {
    switch state {
    case .awaitingOffer, .ended: nil
    case .checking(let offer), .copyingFiles(let offer, _), .accepting(let offer),
      .awaitingSession(let offer), .announcing(let offer, _), .writing(let offer, _),
      .adopting(let offer), .answering(let offer, _):
      offer
    }
  }

  /// Whether the broker can have adopted the session without a reply. Then the other end must not
  /// take it back.
  package var isUnconfirmed: Bool {
    switch state {
    case .announcing(let offer, _), .writing(let offer, _), .adopting(let offer),
      .answering(let offer, _):
      !offer.isCopy
    case .awaitingOffer, .checking, .copyingFiles, .accepting, .awaitingSession, .ended: false
    }
  }

  package mutating func handle(_ event: Event) throws(MemberError) -> Action {
    switch (state, event) {
    case (.awaitingOffer, .line(.offer(var offer))):
      guard offer.version == MoveLine.version else {
        let problem =
          "version \(offer.version) of the exchange is unknown; expected version "
          + "\(MoveLine.version); install the same version of scenectl at both hosts"
        return fail(MoveRefusal(problem, status: 65), isFromOtherEnd: false)
      }
      if leavesProgram { offer.leavesProgram = true }
      state = .checking(offer)
      return .check(offer)
    case (.checking(var offer), .checked(let fence, let canRun)):
      if canRun { offer.leavesProgram = false }
      guard offer.files.isEmpty else {
        state = .copyingFiles(offer, fence: fence)
        return .copyFiles(offer.files)
      }
      return accept(offer, fence)
    case (.copyingFiles(let offer, let fence), .done):
      return accept(offer, fence)
    case (.accepting(let offer), .done):
      state = .awaitingSession(offer)
      return .readLine
    case (.awaitingSession(let offer), .line(.session(var session))):
      if offer.leavesProgram { session.sceneSession.program = nil }
      state = session.files == nil ? .adopting(offer) : .announcing(offer, session)
      return .adopt(session, isArriving: session.files != nil)
    case (.announcing(let offer, let session), .adopted(let arrival, isNew: true)):
      guard let files = session.files else { return answer(offer, arrival) }
      state = .writing(offer, session)
      return .write(files)
    case (.writing(let offer, let session), .done):
      state = .adopting(offer)
      return .adopt(session, isArriving: false)
    case (.announcing(let offer, _), .adopted(let arrival, isNew: false)),
      (.adopting(let offer), .adopted(let arrival, _)):
      return answer(offer, arrival)
    case (.answering(let offer, let arrival), .done):
      state = .ended
      return .finish(offer, arrival)
    case (_, .refused(let refusal)):
      return fail(refusal, isFromOtherEnd: false)
    case (_, .line(.refuse(let refusal))):
      return fail(refusal, isFromOtherEnd: true)
    case (_, .line(let line)):
      throw MemberError(problem: "unexpected line \"\(line.kind)\"")
    case (_, .done), (_, .checked), (_, .adopted):
      preconditionFailure("no action has this outcome")
    }
  }

  private mutating func accept(_ offer: MoveOffer, _ fence: Int64) -> Action {
    state = .accepting(offer)
    return .send(.accept(MoveAcceptance(fence: fence)))
  }

  private mutating func answer(_ offer: MoveOffer, _ arrival: MoveArrival) -> Action {
    var arrival = arrival
    arrival.leavesProgram = offer.leavesProgram
    state = .answering(offer, arrival)
    return .send(.adopted(arrival))
  }

  private mutating func fail(_ refusal: MoveRefusal, isFromOtherEnd: Bool) -> Action {
    state = .ended
    return .fail(refusal, isFromOtherEnd: isFromOtherEnd)
  }
}
