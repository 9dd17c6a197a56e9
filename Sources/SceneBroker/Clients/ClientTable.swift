import SceneModel

/// The connections, the sessions that they hold or held last, and the sessions that are reserved
/// for a process without a connection.
struct ClientTable {
  private(set) var all: [ConnectionIdentifier: ConnectedClient] = [:]
  /// The connection that last held a session, if it answered the disconnection. It may have closed.
  var previousHolders: [SessionIdentifier: ConnectionIdentifier] = [:]
  /// Sessions that are reserved for their previous holder for some time after a start.
  var reservations: [SessionIdentifier: ClientProcess] = [:]
  /// The number of scenes that one connection can hold.
  private let sceneLimit: Int

  init(sceneLimit: Int) { self.sceneLimit = sceneLimit }

  mutating func returnUnusedMemory() {
    all.returnUnusedCapacity()
    previousHolders.returnUnusedCapacity()
  }

  // MARK: - Connections

  subscript(connection: ConnectionIdentifier) -> ConnectedClient? { all[connection] }

  mutating func open(_ connection: ConnectionIdentifier, _ process: ClientProcess) {
    all[connection] = ConnectedClient(process: process)
  }

  mutating func close(_ connection: ConnectionIdentifier) { all[connection] = nil }

  /// The connections that have sent `initialize`, in order.
  var initialized: [ConnectionIdentifier] {
    all.filter { $0.value.isInitialized }.keys.sorted()
  }

  /// The connections of these processes, in order.
  func connections(of processes: [ClientProcess]) -> [ConnectionIdentifier] {
    all.filter { processes.contains($0.value.process) }.keys.sorted()
  }

  // MARK: - Sessions

  mutating func connected(_ session: SessionIdentifier, to connection: ConnectionIdentifier) {
    all[connection]?.held.append(session)
    // The program of an earlier scene has ended.
    all[connection]?.program = nil
    previousHolders[session] = nil
  }

  /// `answered` says whether the client has answered the disconnection.
  mutating func disconnected(
    _ session: SessionIdentifier, from connection: ConnectionIdentifier, answered: Bool,
    at time: Int64
  ) {
    all[connection]?.held.removeAll { $0 == session }
    all[connection]?.idleSince = time
    previousHolders[session] = answered ? connection : nil
  }

  /// Checks the limit of scenes. `replaced` is the session whose scene is about to end.
  func checkRoom(
    on connection: ConnectionIdentifier, replacing replaced: SessionIdentifier? = nil
  ) throws(BrokerError) {
    let held = all[connection]?.held ?? []
    let own = replaced.map { held.contains($0) } == true ? 1 : 0
    guard held.count - own < sceneLimit else {
      throw BrokerError(.tooMany, "one connection holds at most \(sceneLimit) scenes")
    }
  }

  // MARK: - Hosts

  /// The connection for a scene that no client requested: `previous`, if it can host the scene,
  /// else the connection with the fewest scenes of those that can.
  func selectHost(
    for delegateClass: String?, previous: ConnectionIdentifier?,
    excluding attempted: [ConnectionIdentifier]
  ) -> ConnectionIdentifier? {
    func hasRoom(_ client: ConnectedClient) -> Bool { client.held.count < sceneLimit }
    if let previous, !attempted.contains(previous), let client = all[previous],
      client.canHostAgain(delegateClass), hasRoom(client)
    {
      return previous
    }
    return all.lazy.filter {
      !attempted.contains($0.key) && $0.value.canHost(delegateClass) && hasRoom($0.value)
    }
    .min { ($0.value.held.count, $0.key) < ($1.value.held.count, $1.key) }?.key
  }

  /// The connection that last held a session. After a restart of the broker, a connection of the
  /// stored holder's process that can host the scene.
  func previousHolder(
    of session: SessionIdentifier, or process: ClientProcess?, hosting delegateClass: String?
  ) -> ConnectionIdentifier? {
    if let previous = previousHolders[session], all[previous] != nil { return previous }
    guard let process else { return nil }
    return all.filter { $0.value.process == process && $0.value.canHost(delegateClass) }.keys
      .min()
  }

  /// A client that could host the scene if it responded.
  func unresponsiveHost(for delegateClass: String?) -> ClientReference? {
    all.filter { $0.value.isOverdue && $0.value.declares(delegateClass) }
      .min { $0.key < $1.key }?.value.client
  }

  // MARK: - Signals

  /// The event loop has sent a signal. Returns the sessions of the process, on each of its
  /// connections.
  mutating func sent(
    _ signal: SentSignal, to process: ClientProcess, at time: Int64
  ) -> [SessionIdentifier] {
    let connections = connections(of: [process])
    if SentSignal.endsProcesses(signal.signal) {
      for connection in connections {
        all[connection]?.signal = signal
        all[connection]?.signalTime = time
      }
    }
    return connections.flatMap { all[$0]?.held ?? [] }
  }

  /// The signal that explains an end of the client's scene now. No process survives KILL. Another
  /// signal explains only an end within ten seconds, because a process can ignore the signal.
  func signal(ending connection: ConnectionIdentifier, at time: Int64) -> SentSignal? {
    guard let client = all[connection], let signal = client.signal else { return nil }
    let isRecent = time - client.signalTime <= Interval.seconds(10).nanoseconds
    return signal.endsEveryProcess || isRecent ? signal : nil
  }

  // MARK: - Invariants

  /// Every invariant of this part that does not hold, as a sentence.
  var flaws: [String] {
    var flaws: [String] = []
    var holders: [SessionIdentifier: ConnectionIdentifier] = [:]
    for (connection, client) in all {
      for session in client.held {
        if let other = holders[session] {
          flaws.append("\(session) is held by \(connection.number) and by \(other.number)")
        }
        holders[session] = connection
        if reservations[session] != nil { flaws.append("\(session) is reserved and held") }
        if previousHolders[session] != nil {
          flaws.append("\(session) has a previous holder and is held")
        }
      }
      if !client.isInitialized, !client.held.isEmpty {
        flaws.append("\(connection.number) holds a session before initialize")
      }
    }
    return flaws
  }
}

/// A connection and its client. It is an object, so that an event changes it in place.
final class ConnectedClient {
  /// The start time is 0 until the event loop has identified the process.
  var process: ClientProcess
  /// Stored, because a read of `client` copies it.
  private(set) var isInitialized = false
  /// Nil before `initialize`.
  private(set) var client: ClientReference?
  /// The program that the client runs in its scene.
  var program: ProgramProcess? {
    didSet {
      shown = client
      guard let program else { return }
      shown?.name = program.name
      shown?.program = program.pid
    }
  }
  /// The client with the name and the process of its program.
  private(set) var shown: ClientReference?
  private(set) var kind: ClientKind = .observer
  /// The delegate classes of the scenes that the client can host.
  private(set) var hosts: [String] = []
  /// The sessions that the client holds, in the order in which it got them.
  var held: [SessionIdentifier] = []
  /// Closing: input is ignored, and no scene is assigned.
  var isClosing = false
  /// The broker has asked the process to end: its requests count, and it gets no further scene.
  var isEnding = false
  /// The launch of the client's process, if the broker launched it.
  var launch: LaunchIdentifier?
  /// The exit of the process, if the broker knows it before the connection closes.
  var exit: ClientExit?
  /// The last signal that the broker sent and that can end the process.
  var signal: SentSignal?
  /// The monotonic time of the signal.
  var signalTime: Int64 = 0
  /// The monotonic time at which the last of its scenes ended, or at which it was initialized.
  var idleSince: Int64 = 0
  /// A callback is overdue: the client has sent nothing since its timeout, or sends no more. It
  /// gets no new callbacks.
  var isOverdue = false
  /// The monotonic time of the client's last message other than the answer to a ping.
  var lastInput: Int64 = 0
  /// Whether a scene of the client may be unresponsive.
  var mayHaveUnresponsiveScene = false

  private var lastCallback: Int64 = 0
  /// The callbacks whose replies still count.
  private(set) var outstandingCallbacks: [Int64: (session: SessionIdentifier, kind: CallbackKind)] =
    [:]

  init(process: ClientProcess) { self.process = process }

  /// Whether the broker sends messages to the client and takes its input.
  var isOpen: Bool { !isClosing }

  /// Whether the client presumably replies to a callback.
  var isResponsive: Bool { !isClosing && !isOverdue }

  /// The client as other clients see it. The start time lets them signal the process.
  var reference: ClientReference? {
    var reference = shown
    reference?.startTime = process.startTime == 0 ? nil : process.startTime
    reference?.terminal = program?.terminal
    return reference
  }

  func initialize(_ message: Initialize) {
    client = ClientReference(name: message.client.name, pid: process.pid)
    shown = client
    isInitialized = true
    kind = message.kind
    hosts = message.hosts
  }

  /// The client has sent something, so it responds again. Returns false if its input is ignored.
  func received() -> Bool {
    if !isClosing { isOverdue = false }
    return !isClosing
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
  @discardableResult
  func endCallback(_ number: Int64) -> (session: SessionIdentifier, kind: CallbackKind)? {
    outstandingCallbacks.removeValue(forKey: number)
  }

  /// Whether the broker ever sent a callback of this number.
  func hasSent(_ number: Int64) -> Bool { number > 0 && number <= lastCallback }

  // MARK: - Hosting

  /// Whether the client can host a scene of this delegate class that it did not request.
  func canHost(_ delegateClass: String?) -> Bool { !isOverdue && declares(delegateClass) }

  /// Whether the client declared that it can host such a scene.
  func declares(_ delegateClass: String?) -> Bool {
    guard kind == .scene, !isClosing, !isEnding else { return false }
    if let delegateClass, hosts.contains(delegateClass) { return true }
    return hosts.contains("*") && held.isEmpty
  }

  /// Whether the client can host a scene of a session that it held last. It need not be a host.
  func canHostAgain(_ delegateClass: String?) -> Bool {
    isResponsive && !isEnding && (canHost(delegateClass) || !hosts.contains("*"))
  }
}
