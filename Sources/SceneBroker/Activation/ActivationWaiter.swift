import SceneModel

/// A request that waits for the scene of a session.
struct ActivationWaiter: Equatable {
  let requester: Requester
  let kind: Kind
  /// The delivery of this request, until the client has acknowledged it.
  var delivery: Int64?
  /// Whether a later request moved the scene elsewhere. Then only the delivery is awaited.
  var isSuperseded = false

  init(requester: Requester, kind: Kind, delivery: Int64? = nil) {
    self.requester = requester
    self.kind = kind
    self.delivery = delivery
  }

  enum Kind: Equatable {
    /// `scene/transition`: the reply is the state.
    case transition
    /// An activation: the reply is the session.
    case activation(isNew: Bool)
    /// One session of a batch.
    case batch(UInt64)
    /// One session of a batch of refreshes. The target of the scene does not matter.
    case refresh(UInt64)
  }

  var isActivation: Bool { if case .activation = kind { true } else { false } }
  var isRefresh: Bool { if case .refresh = kind { true } else { false } }

  /// Whether the request waits for something that happens at any target of the scene.
  var outlivesTarget: Bool { delivery != nil || isRefresh }

  var batch: UInt64? {
    switch kind {
    case .batch(let number), .refresh(let number): number
    case .transition, .activation: nil
    }
  }
}

/// A reply that is due to a waiter.
struct WaiterReply: Equatable {
  enum Content: Equatable {
    /// A reply about the session.
    case reply(BrokerReply)
    /// A reply about several sessions.
    case batch(BrokerReply)
    /// The scene ended before it reached its target: the activation has failed.
    case failed
  }

  let requester: Requester
  let content: Content
}
