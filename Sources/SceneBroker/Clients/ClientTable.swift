import SceneModel

/// The connections, the sessions that they hold or held last, and the sessions that are reserved
/// for a process without a connection.
struct ClientTable {
  private var clients: [ConnectionIdentifier: ConnectedClient] = [:]
  /// The connection that last held a session, if it answered the disconnection. It may have closed.
  private var previousHolders: [SessionIdentifier: ConnectionIdentifier] = [:]
  /// Sessions that are reserved for their previous holder for some time after a start.
  private var reservations: [SessionIdentifier: ClientProcess] = [:]
  /// The signals that the event loop is to send, in the order of its answers.
  private var pendingSignals: [PendingSignal] = []
  /// The number of scenes that one connection can hold.
  private let sceneLimit: Int

  init(sceneLimit: Int) { self.sceneLimit = sceneLimit }

  mutating func returnUnusedMemory() {
    clients.returnUnusedCapacity()
    previousHolders.returnUnusedCapacity()
  }

  // MARK: - Connections

  mutating func open(_ connection: ConnectionIdentifier, _ process: ClientProcess) {
    clients[connection] = ConnectedClient(process: process)
  }

  mutating func close(_ connection: ConnectionIdentifier) { clients[connection] = nil }

  /// The client has sent something, so it responds again. Returns nil if its input is ignored.
  mutating func received(
    from connection: ConnectionIdentifier
  ) -> (kind: ClientKind, isInitialized: Bool)? {
    clients[connection]?.received()
  }

  mutating func initialize(_ connection: ConnectionIdentifier, _ message: Initialize) {
    clients[connection]?.initialize(message)
  }

  /// The connection is about to close.
  mutating func setClosing(_ connection: ConnectionIdentifier) {
    clients[connection]?.isClosing = true
  }

  /// The client has not replied in time, or sends nothing more.
  mutating func setUnresponsive(_ connection: ConnectionIdentifier) {
    clients[connection]?.isUnresponsive = true
  }

  mutating func setLaunch(_ launch: LaunchIdentifier, of connection: ConnectionIdentifier) {
    clients[connection]?.launch = launch
  }

  mutating func setExit(_ exit: ClientExit, of connection: ConnectionIdentifier) {
    clients[connection]?.exit = exit
  }

  subscript(connection: ConnectionIdentifier) -> ConnectedClient? { clients[connection] }

  func isConnected(_ connection: ConnectionIdentifier) -> Bool {
    clients.index(forKey: connection) != nil
  }

  /// Whether the broker sends messages to the client and takes its input.
  func isOpen(_ connection: ConnectionIdentifier) -> Bool {
    clients[connection].map { !$0.isClosing } ?? false
  }

  /// Whether the client presumably replies to a callback.
  func isResponsive(_ connection: ConnectionIdentifier) -> Bool {
    clients[connection].map { !$0.isClosing && !$0.isUnresponsive } ?? false
  }

  func isInitialized(_ connection: ConnectionIdentifier) -> Bool {
    clients[connection]?.isInitialized ?? false
  }

  func kind(of connection: ConnectionIdentifier) -> ClientKind? { clients[connection]?.kind }

  func process(of connection: ConnectionIdentifier) -> ClientProcess? {
    clients[connection]?.process
  }

  /// The client's name and process identifier; nil before `initialize`.
  func client(of connection: ConnectionIdentifier) -> ClientReference? {
    clients[connection]?.client
  }

  /// The client as other clients see it.
  func reference(to connection: ConnectionIdentifier) -> ClientReference? {
    clients[connection]?.reference
  }

  /// The connections that have sent `initialize`, in order.
  var initialized: [ConnectionIdentifier] {
    clients.filter { $0.value.isInitialized }.keys.sorted()
  }

  /// The connections of these processes, in order.
  func connections(of processes: [ClientProcess]) -> [ConnectionIdentifier] {
    clients.filter { processes.contains($0.value.process) }.keys.sorted()
  }

  // MARK: - Callbacks

  /// Returns the number of a callback whose reply counts.
  mutating func beginCallback(
    _ kind: CallbackKind, of session: SessionIdentifier, on connection: ConnectionIdentifier
  ) -> Int64? {
    clients[connection]?.beginCallback(kind, of: session)
  }

  /// Returns the number of a callback that belongs to no scene, or whose reply does not count.
  mutating func numberCallback(on connection: ConnectionIdentifier) -> Int64? {
    clients[connection]?.numberCallback()
  }

  /// The reply to the callback does not count any more. Returns nil if it did not count before.
  @discardableResult
  mutating func endCallback(
    _ number: Int64, on connection: ConnectionIdentifier
  ) -> (session: SessionIdentifier, kind: CallbackKind)? {
    clients[connection]?.endCallback(number)
  }

  /// Whether the broker ever sent a callback of this number.
  func hasSent(_ callback: Int64, to connection: ConnectionIdentifier) -> Bool {
    clients[connection]?.hasSent(callback) ?? false
  }

  func callback(
    _ number: Int64, of connection: ConnectionIdentifier
  ) -> (session: SessionIdentifier, kind: CallbackKind)? {
    clients[connection]?.outstandingCallbacks[number]
  }

  // MARK: - Sessions

  /// The sessions that a client holds, in the order in which it got them.
  func held(by connection: ConnectionIdentifier) -> [SessionIdentifier] {
    clients[connection]?.held ?? []
  }

  mutating func connected(_ session: SessionIdentifier, to connection: ConnectionIdentifier) {
    clients[connection]?.held.append(session)
    previousHolders[session] = nil
  }

  /// `answered` says whether the client has answered the disconnection.
  mutating func disconnected(
    _ session: SessionIdentifier, from connection: ConnectionIdentifier, answered: Bool
  ) {
    clients[connection]?.held.removeAll { $0 == session }
    previousHolders[session] = answered ? connection : nil
  }

  /// The session is discarded.
  mutating func forget(_ session: SessionIdentifier) { previousHolders[session] = nil }

  /// Checks the limit of scenes. `replaced` is the session whose scene is about to end.
  func checkRoom(
    on connection: ConnectionIdentifier, replacing replaced: SessionIdentifier? = nil
  ) throws(BrokerError) {
    let held = held(by: connection)
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
    if let previous, !attempted.contains(previous), let client = clients[previous],
      client.canHostAgain(delegateClass), hasRoom(client)
    {
      return previous
    }
    return clients.lazy.filter {
      !attempted.contains($0.key) && $0.value.canHost(delegateClass) && hasRoom($0.value)
    }
    .min { ($0.value.held.count, $0.key) < ($1.value.held.count, $1.key) }?.key
  }

  /// The connection that last held a session. After a restart of the broker, a connection of the
  /// stored holder's process that can host the scene.
  func previousHolder(
    of session: SessionIdentifier, or process: ClientProcess?, hosting delegateClass: String?
  ) -> ConnectionIdentifier? {
    if let previous = previousHolders[session], isConnected(previous) { return previous }
    guard let process else { return nil }
    return clients.filter { $0.value.process == process && $0.value.canHost(delegateClass) }.keys
      .min()
  }

  /// A client that could host the scene if it responded.
  func unresponsiveHost(for delegateClass: String?) -> ClientReference? {
    clients.filter { $0.value.isUnresponsive && $0.value.declares(delegateClass) }
      .min { $0.key < $1.key }?.value.client
  }

  // MARK: - Reservations

  mutating func reserve(_ session: SessionIdentifier, for process: ClientProcess) {
    reservations[session] = process
  }

  mutating func removeReservation(of session: SessionIdentifier) { reservations[session] = nil }

  /// The process that the session is reserved for.
  func reservation(of session: SessionIdentifier) -> ClientProcess? { reservations[session] }

  var reservationCount: Int { reservations.count }

  /// The reserved sessions, of one process or of all.
  func reservedSessions(for process: ClientProcess? = nil) -> [SessionIdentifier] {
    reservations.filter { process == nil || $0.value == process }.map(\.key)
  }

  // MARK: - Signals

  /// The event loop is to send this signal.
  mutating func add(_ signal: PendingSignal) { pendingSignals.append(signal) }

  /// Removes the oldest signal, whose outcome is known.
  mutating func takeSignal() -> PendingSignal? {
    pendingSignals.isEmpty ? nil : pendingSignals.removeFirst()
  }

  /// The event loop has sent a signal. Returns the sessions of the process, on each of its
  /// connections.
  mutating func sent(
    _ signal: SentSignal, to process: ClientProcess, at time: Int64
  ) -> [SessionIdentifier] {
    let connections = connections(of: [process])
    if SentSignal.endsProcesses(signal.signal) {
      for connection in connections {
        clients[connection]?.signal = signal
        clients[connection]?.signalTime = time
      }
    }
    return connections.flatMap { held(by: $0) }
  }

  /// The signal that explains an end of the client's scene now. No process survives KILL. Another
  /// signal explains only an end within ten seconds, because a process can ignore the signal.
  func signal(ending connection: ConnectionIdentifier, at time: Int64) -> SentSignal? {
    guard let client = clients[connection], let signal = client.signal else { return nil }
    let isRecent = time - client.signalTime <= Interval.seconds(10).nanoseconds
    return signal.endsEveryProcess || isRecent ? signal : nil
  }

  // MARK: - Invariants

  var all: [ConnectionIdentifier: ConnectedClient] { clients }

  /// The sessions with a previous holder.
  var previouslyHeld: [SessionIdentifier] { Array(previousHolders.keys) }

  /// Every invariant of this part that does not hold, as a sentence.
  var flaws: [String] {
    var flaws: [String] = []
    var holders: [SessionIdentifier: ConnectionIdentifier] = [:]
    for (connection, client) in clients {
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

/// A signal that the event loop is to send.
struct PendingSignal: Equatable {
  let session: SessionIdentifier
  let process: ClientProcess
  let signal: String
  let sender: ClientReference
  let requester: Requester
}
