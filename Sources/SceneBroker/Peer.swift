import SceneModel

/// A connection as the rules see it.
struct Peer {
  let process: ClientProcess
  /// Nil until it has said who it is.
  var client: ClientReference?
  var kind: ClientKind = .observer
  /// The delegate classes it can make scenes of.
  var hosts: [String] = []
  /// The sessions it holds, in the order in which it came to them.
  var held: [SessionIdentifier] = []

  private(set) var lastCallback: Int64 = 0
  /// The callbacks that were not answered yet, and still matter.
  private(set) var unanswered: [Int64: (session: SessionIdentifier, kind: CallbackKind)] = [:]

  init(process: ClientProcess) { self.process = process }

  mutating func introduce(_ message: Initialize) {
    client = ClientReference(name: message.client.name, pid: process.pid)
    kind = message.kind
    hosts = message.hosts
  }

  mutating func begin(_ kind: CallbackKind, of session: SessionIdentifier) -> Int64 {
    lastCallback += 1
    unanswered[lastCallback] = (session, kind)
    return lastCallback
  }

  /// What an answer belongs to; nil for one that no longer counts.
  mutating func end(_ callback: Int64) -> (session: SessionIdentifier, kind: CallbackKind)? {
    unanswered.removeValue(forKey: callback)
  }

  func kind(of callback: Int64) -> CallbackKind? { unanswered[callback]?.kind }

  func session(of callback: Int64) -> SessionIdentifier? { unanswered[callback]?.session }

  /// Whether a callback of this number was ever sent.
  func sent(_ callback: Int64) -> Bool { callback > 0 && callback <= lastCallback }

  /// Whether it can be given a scene of this delegate class that it did not ask for.
  func canHost(_ delegateClass: String?) -> Bool {
    guard kind == .scene else { return false }
    if hosts.contains("*") { return held.isEmpty }
    guard let delegateClass else { return false }
    return hosts.contains(delegateClass)
  }
}
