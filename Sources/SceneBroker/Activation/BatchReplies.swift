import SceneModel

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
