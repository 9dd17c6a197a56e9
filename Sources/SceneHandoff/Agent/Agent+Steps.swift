import SceneModel

/// The requests of sessions, and their replies. A session awaits one reply at a time.
extension Agent {
  /// A request to the engine, and what follows its reply.
  struct EngineStep {
    let session: SessionIdentifier
    let changes: Bool
    let then: (inout Agent, _ values: [EngineValue], _ revision: Int64) -> Void
    let otherwise: (inout Agent) -> Void
  }

  /// A request to the broker, and what follows its reply.
  struct BrokerStep {
    let session: SessionIdentifier
    let then: (inout Agent, SessionContent?) -> Void
    let refused: (inout Agent, _ why: String) -> Void
  }

  /// Changes keys if the conditions hold, and calls `then` or `otherwise`.
  mutating func change(
    _ id: SessionIdentifier, if conditions: [HandoffKey: Int64],
    _ changes: [EngineTransaction.Change],
    then: @escaping (inout Agent, _ revision: Int64) -> Void = { _, _ in },
    otherwise: @escaping (inout Agent) -> Void = { _ in }
  ) {
    let number = begin(id)
    engineSteps[number] = EngineStep(
      session: id, changes: true, then: { then(&$0, $2) }, otherwise: otherwise)
    let conditions = conditions.map { (key($0), $1) }
    actions.append(
      .engine(
        number,
        .transaction(EngineTransaction(if: Dictionary(uniqueKeysWithValues: conditions), changes))))
  }

  /// Reads a content in the engine, and a data directory beside it.
  mutating func read(
    _ id: SessionIdentifier, _ content: HandoffKey, files: HandoffKey? = nil,
    then: @escaping (inout Agent, StoredContent, DirectoryContent?) -> Void
  ) {
    let keys = [content, files].compactMap { $0.map(key) }
    let number = begin(id)
    engineSteps[number] = EngineStep(session: id, changes: false) { agent, values, _ in
      do throws(MemberError) {
        guard let value = values.first(where: { $0.key == keys[0] }) else {
          throw MemberError(problem: "missing")
        }
        let content = try StoredContent(parsing: value.value)
        let stored = values.first { $0.key != keys[0] }?.value
        let files = try stored.map {
          (bytes) throws(MemberError) in try DirectoryContent(parsing: bytes).files
        }
        // Any process with access can have written it.
        if let problem = files?.problem(within: .engine) { throw MemberError(problem: problem) }
        then(&agent, content, files.map { DirectoryContent($0) })
      } catch {
        agent.fail(id, "the content in etcd is unreadable: \(error)")
      }
    } otherwise: {
      _ in
    }
    actions.append(
      .engine(number, .transaction(EngineTransaction(if: [:], [], reads: keys))))
  }

  mutating func perform(
    _ request: HostRequest, for id: SessionIdentifier,
    then: @escaping (inout Agent, SessionContent?) -> Void,
    refused: @escaping (inout Agent, _ why: String) -> Void = { _, _ in }
  ) {
    let number = begin(id)
    brokerSteps[number] = BrokerStep(session: id, then: then, refused: refused)
    actions.append(.broker(number, request))
  }

  private mutating func begin(_ id: SessionIdentifier) -> UInt64 {
    // A kill after the next action must find the memory.
    if isStoreNeeded { store() }
    sessions[id]?.isBusy = true
    return nextNumber()
  }

  // MARK: - Replies

  mutating func handle(_ reply: EngineReply, of step: EngineStep) {
    let id = step.session
    sessions[id]?.isBusy = false
    sessions[id]?.awaited = 0
    switch reply {
    case .transaction(let succeeded, let values, let revision):
      if step.changes {
        if isFull { actions.append(.log("etcd accepts changes again")) }
        isFull = false
        if succeeded {
          sessions[id]?.awaited = revision
          if revision > view.revision { awaitWatch() }
        } else if refusedRevision == view.revision {
          awaitWatch()
        } else {
          refusedRevision = view.revision
        }
      }
      if succeeded {
        step.then(&self, values, revision)
      } else {
        // The watch reports the change that this one did not expect.
        retry(id, after: Self.second / 20)
        step.otherwise(&self)
      }
      decide(id)
    case .full:
      if !isFull { actions.append(.log("warning: \(EngineError.full.description)")) }
      isFull = true
      refuseWish(of: id, EngineError.full.description)
      retry(id, after: 5 * Self.second)
    case .values, .lease, .leaseExpired: break
    }
  }

  mutating func handle(_ reply: HostReply, to number: UInt64) {
    guard let step = brokerSteps.removeValue(forKey: number) else { return }
    let id = step.session
    sessions[id]?.isBusy = false
    switch reply {
    case .session(let content):
      // The reply of a copy is the other session.
      if content?.session ?? id == id { sessions[id]?.local = AgentSession.Local(content) }
      step.then(&self, content)
    case .refused(let why):
      sessions[id]?.isStale = true
      retry(id, after: Self.second)
      step.refused(&self, why)
    }
  }

  private mutating func retry(_ id: SessionIdentifier, after nanoseconds: Int64) {
    sessions[id]?.retryTime = now + nanoseconds
  }

  /// The session cannot be adopted or changed for now.
  mutating func fail(_ id: SessionIdentifier, _ why: String) {
    if sessions[id]?.problem != why {
      actions.append(.log("warning: \(id.short): \(why)"))
    }
    sessions[id]?.problem = why
    refuseWish(of: id, why)
    retry(id, after: 60 * Self.second)
  }

  // MARK: - The broker

  mutating func brokerOpened(_ contents: [SessionContent]) {
    // A reply of the engine can start a step without a broker.
    brokerClosed()
    isBrokerOpen = true
    let contents = Dictionary(contents.map { ($0.session, $0) }) { $1 }
    for id in Set(sessions.keys).union(memories.keys).union(view.owners.keys).union(contents.keys) {
      sessions[id, default: AgentSession()].local = AgentSession.Local(contents[id])
      sessions[id]?.isStale = false
    }
    // A broker without any of the sessions has lost its state: the sessions return.
    if !memories.isEmpty, memories.keys.allSatisfy({ contents[$0] == nil }) {
      memories = [:]
      isStoreNeeded = true
    }
    decideAll()
  }

  mutating func brokerClosed() {
    isBrokerOpen = false
    for step in brokerSteps.values { sessions[step.session]?.isBusy = false }
    brokerSteps = [:]
  }
}
