import SceneModel

/// A connection and its client. Only ``ClientTable`` changes a client.
///
/// An object, because a request reads several of its properties: a read of a structure in a
/// dictionary copies the structure.
final class ConnectedClient {
  let process: ClientProcess
  /// Nil before `initialize`.
  private(set) var client: ClientReference?
  private(set) var kind: ClientKind = .observer
  /// The delegate classes of the scenes that the client can host.
  private(set) var hosts: [String] = []
  /// The sessions that the client holds, in the order in which it got them.
  var held: [SessionIdentifier] = []
  /// Closing: input is ignored, and no scene is assigned.
  var isClosing = false
  /// The launch of the client's process, if the broker launched it.
  var launch: LaunchIdentifier?
  /// The exit of the process, if the broker knows it before the connection closes.
  var exit: ClientExit?
  /// The last signal that the broker sent and that can end the process.
  var signal: SentSignal?
  /// The monotonic time of the signal.
  var signalTime: Int64 = 0
  /// A callback timed out, and the client has sent nothing since. It gets no new callbacks.
  var isUnresponsive = false

  private var lastCallback: Int64 = 0
  /// The callbacks whose replies still count.
  private(set) var outstandingCallbacks: [Int64: (session: SessionIdentifier, kind: CallbackKind)] =
    [:]

  init(process: ClientProcess) { self.process = process }

  var isInitialized: Bool { client != nil }

  /// The client as other clients see it. The start time lets them signal the process.
  var reference: ClientReference? {
    var reference = client
    reference?.startTime = process.startTime == 0 ? nil : process.startTime
    return reference
  }

  func initialize(_ message: Initialize) {
    client = ClientReference(name: message.client.name, pid: process.pid)
    kind = message.kind
    hosts = message.hosts
  }

  /// The client has sent something, so it responds again. Returns nil if its input is ignored.
  func received() -> (kind: ClientKind, isInitialized: Bool)? {
    guard !isClosing else { return nil }
    isUnresponsive = false
    return (kind, isInitialized)
  }

  // MARK: - Callbacks

  /// Returns the number of a callback whose reply counts.
  func beginCallback(_ kind: CallbackKind, of session: SessionIdentifier) -> Int64 {
    lastCallback += 1
    outstandingCallbacks[lastCallback] = (session, kind)
    return lastCallback
  }

  /// Returns the number of a callback that belongs to no scene, or whose reply does not count.
  func numberCallback() -> Int64 {
    lastCallback += 1
    return lastCallback
  }

  /// The reply to the callback does not count any more. Returns nil if it did not count before.
  func endCallback(
    _ number: Int64
  ) -> (session: SessionIdentifier, kind: CallbackKind)? {
    outstandingCallbacks.removeValue(forKey: number)
  }

  /// Whether the broker ever sent a callback of this number.
  func hasSent(_ number: Int64) -> Bool { number > 0 && number <= lastCallback }

  // MARK: - Hosting

  /// Whether the client can host a scene of this delegate class that it did not request.
  func canHost(_ delegateClass: String?) -> Bool { !isUnresponsive && declares(delegateClass) }

  /// Whether the client declared that it can host such a scene.
  func declares(_ delegateClass: String?) -> Bool {
    guard kind == .scene, !isClosing else { return false }
    if let delegateClass, hosts.contains(delegateClass) { return true }
    return hosts.contains("*") && held.isEmpty
  }

  /// Whether the client can host a scene of a session that it held last. It need not be a host.
  func canHostAgain(_ delegateClass: String?) -> Bool {
    guard !isClosing, !isUnresponsive else { return false }
    return canHost(delegateClass) || !hosts.contains("*")
  }
}
