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
  /// It is about to be gone: nothing it says is heard any more, and nothing is given to it.
  var isLeft = false
  /// What its process was started as, if the broker has started it.
  var launch: LaunchIdentifier?
  /// How that process has ended, where that is known before the end of the connection.
  var exit: ClientExit?
  /// The last signal that may have ended that process, where the broker sent it.
  var signal: SentSignal?
  /// When the broker sent it, by the monotonic clock.
  var signalSent: Int64 = 0
  /// The watchdog took a scene from it, and it has said nothing since: it is asked for nothing new.
  var isSilent = false

  private(set) var lastCallback: Int64 = 0
  /// The callbacks that were not answered yet, and still matter.
  private(set) var unanswered: [Int64: (session: SessionIdentifier, kind: CallbackKind)] = [:]

  init(process: ClientProcess) { self.process = process }

  /// What is asked at every request.
  var standing: (isLeft: Bool, isSilent: Bool, isKnown: Bool, kind: ClientKind) {
    (isLeft, isSilent, client != nil, kind)
  }

  /// The client as other clients see it: with the start time of its process, so that they can
  /// signal it.
  var reference: ClientReference? {
    var reference = client
    reference?.startTime = process.startTime == 0 ? nil : process.startTime
    return reference
  }

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

  /// A callback whose answer will be ignored.
  mutating func tell() -> Int64 {
    lastCallback += 1
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
  func canHost(_ delegateClass: String?) -> Bool { !isSilent && suits(delegateClass) }

  /// The same if it would answer.
  func suits(_ delegateClass: String?) -> Bool {
    guard kind == .scene, !isLeft else { return false }
    if let delegateClass, hosts.contains(delegateClass) { return true }
    return hosts.contains("*") && held.isEmpty
  }

  /// The same if it is the one that last held the session: it need not be a host at all.
  func canHostAgain(_ delegateClass: String?) -> Bool {
    guard !isLeft, !isSilent else { return false }
    return canHost(delegateClass) || !hosts.contains("*")
  }
}
