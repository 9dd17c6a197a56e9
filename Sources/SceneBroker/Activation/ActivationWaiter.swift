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

/// Replies to requests about several sessions. Each is due when the last of its sessions is done.
struct BatchReplies {
  private var batches: [UInt64: Batch] = [:]
  private var lastNumber: UInt64 = 0

  private struct Batch {
    let requester: Requester
    var reply: BrokerReply
    var remaining: Int
  }

  /// The number of sessions that each batch waits for.
  var remaining: [UInt64: Int] { batches.mapValues(\.remaining) }

  mutating func open(_ requester: Requester, _ reply: BrokerReply, count: Int) -> UInt64 {
    lastNumber += 1
    batches[lastNumber] = Batch(requester: requester, reply: reply, remaining: count)
    return lastNumber
  }

  /// The broker ends before all sessions are done. Returns the reply once. A discard has happened;
  /// other requests have failed.
  mutating func interrupt(_ number: UInt64) -> WaiterReply? {
    guard let batch = batches.removeValue(forKey: number) else { return nil }
    let isDone = batch.reply.content is RequestDestruction.Reply
    return WaiterReply(
      requester: batch.requester, content: isDone ? .batch(batch.reply) : .failed)
  }

  /// One session is done. Returns the reply after the last one. A reply about reclaimed sessions
  /// omits a session whose scene remains, and a reply about refreshed ones a session whose scene is
  /// gone.
  mutating func complete(
    _ number: UInt64, _ session: SessionIdentifier, isGone: Bool
  ) -> (requester: Requester, reply: BrokerReply)? {
    guard var batch = batches[number] else { return nil }
    batch.remaining -= 1
    if !isGone, var reply = batch.reply.content as? Reclaim.Reply {
      reply.sessions.removeAll { $0 == session }
      batch.reply = BrokerReply(reply)
    }
    if isGone, var reply = batch.reply.content as? RequestRefresh.Reply {
      reply.sessions.removeAll { $0 == session }
      batch.reply = BrokerReply(reply)
    }
    batches[number] = batch.remaining > 0 ? batch : nil
    return batch.remaining > 0 ? nil : (batch.requester, batch.reply)
  }
}
