import SceneJSON
import SceneModel
import ScenePlatform
import SceneTransport
import SceneWire

/// The next broker after the end of one.
extension ControlConnection {
  /// A request and its frame. The frame is empty if the content exceeds the limit of every broker.
  struct Request {
    let number: Int64
    /// Nil for parameters of any form.
    let message: (any RequestMessage)?
    /// The length of the content.
    let length: Int
    let frame: ContiguousArray<UInt8>
  }

  /// A continuous observation.
  struct Observation {
    /// The request that continues it.
    var message: any RequestMessage
    var number: Int64
    var isAnswered = false
  }

  /// Consecutive losses of brokers. Each but the first is followed by a longer pause.
  struct Losses {
    /// The time of the first loss.
    private(set) var start: Int64?
    private var pause: Int64 = 10_000_000

    /// Notes a loss. Returns the time of the first one, after the pause.
    mutating func add() -> Int64 {
      guard let start else {
        let now = SystemClock.monotonic()
        start = now
        return now
      }
      SystemClock.wait(until: SystemClock.monotonic() + pause)
      pause = min(pause * 2, 500_000_000)
      return start
    }
  }

  /// Keeps what the next broker must learn.
  func note(_ message: any RequestMessage, _ number: Int64) {
    guard reconnect != nil, let key = Self.observationKey(of: message) else { return }
    observations[key] = Observation(message: message, number: number)
  }

  private static func observationKey(of message: any RequestMessage) -> String? {
    switch message {
    case let message as EventObserve: "event/\(message.topic)"
    case is SessionObserve, is TraceObserve: "\(type(of: message).method)"
    default: nil
    }
  }

  /// Advances an observation behind a notification.
  func advance(behind notification: ControlNotification) {
    switch notification.content {
    case .posted(let event): advance(event.topic, to: event.position)
    case .trace(let entry):
      observations["\(TraceObserve.method)"]?.message = TraceObserve(after: entry.number)
    default: break
    }
  }

  private func advance(_ topic: String, to position: EventPosition) {
    observations["event/\(topic)"]?.message = EventObserve(topic: topic, after: position)
  }

  /// The reply to a request has arrived.
  func noteReply(to number: Int64, _ result: RawJSON?) {
    guard let request = unanswered.removeValue(forKey: number), let message = request.message,
      let key = Self.observationKey(of: message), observations[key]?.number == number
    else { return }
    observations[key]?.isAnswered = true
    if let message = message as? EventObserve, let result,
      let reply = try? Self.read(EventObserve.Reply.self, from: result)
    {
      advance(message.topic, to: reply.position)
    }
  }

  // MARK: - The end of a broker

  /// The broker has ended. Returns after the next one has the requests that can be sent again, and
  /// continues the observations. The other requests have failed.
  ///
  /// - Throws: the loss, if the program does not connect again.
  func resume(after loss: ControlError) throws(ControlError) {
    guard case .lost(lastWords: nil) = loss, let reconnect, !isResuming else { throw loss }
    isResuming = true
    defer { isResuming = false }
    // A broker that ends can have accepted the connection without a word.
    let process = (try? greeting(until: 0))?.broker.pid
    interruptionCount += 1
    // The program may wait for a failed request, and not for the next broker.
    if failDoubtfulRequests(loss) { return }
    while true {
      let next = try reconnect(losses.add())
      do throws(ControlError) {
        try continueTrace(on: next, ofProcess: process)
        _ = failDoubtfulRequests(loss)
        buffered = unanswered.values.sorted { $0.number < $1.number } + buffered
        (unanswered, postponed) = ([:], [])
        socket = next.socket
        greeting = next.greeting
        return try observeAgain()
      } catch .lost {}
    }
  }

  /// The entries of another broker begin at 1. Only an upgrade keeps the process and the entries. A
  /// broker can also close the connection and live on.
  private func continueTrace(
    on next: ControlConnection, ofProcess process: Int64?
  ) throws(ControlError) {
    guard observations["\(TraceObserve.method)"] != nil,
      next.greeting?.broker.instance != greeting?.broker.instance
    else { return }
    let status = try next.request(ApplicationStatus(), until: Self.replyDeadline)
    if status.previous == nil || status.pid != process {
      observations["\(TraceObserve.method)"]?.message = TraceObserve()
    }
  }

  /// Fails each request that the ended broker may have performed, if a second execution could do
  /// harm. Returns whether there was one.
  private func failDoubtfulRequests(_ loss: ControlError) -> Bool {
    let unperformed = socket.unsentRequests.union(postponed)
    var hasFailed = false
    for number in unanswered.keys {
      if forgotten.remove(number) != nil {
        unanswered[number] = nil
      } else if unanswered[number]?.message?.isIdempotent != true, !unperformed.contains(number) {
        unanswered[number] = nil
        replies[number] = .failure(loss)
        hasFailed = true
      }
    }
    return hasFailed
  }

  private func observeAgain() throws(ControlError) {
    var requests: [(Int64, topic: String?)] = []
    for (key, observation) in observations.sorted(by: { $0.value.number < $1.value.number }) {
      // The program still waits for the reply to its own request.
      buffered.removeAll { $0.number == observation.number }
      if observation.isAnswered {
        let number = post(observation.message)
        observations[key]?.isAnswered = true
        requests.append((number, (observation.message as? EventObserve)?.topic))
      } else {
        buffer(observation.message, observation.number)
      }
    }
    let deadline = Self.replyDeadline
    try flush(until: deadline)
    for (number, topic) in requests {
      let reply = try result(of: number, until: deadline)
      guard let topic, case let reply = try Self.read(EventObserve.Reply.self, from: reply),
        reply.gap
      else { continue }
      notifications.append(ControlNotification(.gap(topic, reply.position)))
    }
    notifications.append(ControlNotification(.reconnected))
  }

  /// The next broker has 10 s to continue the observations.
  private static var replyDeadline: Int64 { SystemClock.monotonic() + 10_000_000_000 }
}
