package import ScenePlatform

/// A user of etcd.
package struct EngineUser: Equatable, Sendable {
  package var name: String
  package var password: String

  package init(name: String, password: String) {
    self.name = name
    self.password = password
  }
}

/// The connections to one member of etcd: one for requests, and one for the watch. It performs one
/// request after another. Times are of `SystemClock.sinceBoot()`.
package final class EngineLink {
  private enum Purpose {
    case authentication
    case status
    case request(UInt64, EngineRequest)
  }

  package let address: EngineAddress
  private let user: EngineUser?
  private let ssh: [String]
  private let requests: HTTPStream
  private var watch: HTTPStream?
  private var queue: ArraySlice<(purpose: Purpose, message: EtcdMessage)> = []
  private var current: Purpose?
  private var token: String?
  /// The time at which the reply to the current request is overdue.
  private var requestDeadline: Int64?
  /// The time at which the beginning of the watch is overdue.
  private var watchDeadline: Int64?

  /// The time of the next reply that is overdue.
  package var deadline: Int64? { [requestDeadline, watchDeadline].compactMap(\.self).min() }

  package static let replyTimeout: Int64 = 2_000_000_000
  /// The time for the first reply through ssh, which must log in.
  package static let loginTimeout: Int64 = 20_000_000_000

  /// Connects to a member.
  package init(
    to address: EngineAddress, as user: EngineUser? = nil, ssh: [String] = ["ssh"]
  ) throws(EngineError) {
    self.address = address
    self.user = user
    self.ssh = ssh
    requests = try Self.stream(to: address, streams: false, ssh)
    if let user {
      queue.append(
        (.authentication, .authentication(user: user.name, password: user.password)))
    }
    queue.append((.status, .status))
    try sendNext()
  }

  private static func stream(
    to address: EngineAddress, streams: Bool, _ ssh: [String]
  ) throws(EngineError) -> HTTPStream {
    do throws(SystemError) {
      return try HTTPStream(to: address, streams: streams, ssh: ssh, within: replyTimeout)
    } catch {
      throw .unavailable("\(error)")
    }
  }

  /// The descriptors to wait for.
  package var descriptors: [(number: Int32, interest: PollInterest)] {
    [requests, watch].compactMap { $0.map { ($0.number, $0.interest) } }
  }

  /// Performs a request after the earlier ones. The reply is an event with the number.
  package func send(_ number: UInt64, _ request: EngineRequest) throws(EngineError) {
    let message = EtcdMessage(request)
    if case .watch = request {
      let stream = try Self.stream(to: address, streams: true, ssh)
      try stream.send(message.http(host: host, token: token))
      watch = stream
      watchDeadline = SystemClock.sinceBoot() + timeout(isFirst: true)
    } else {
      queue.append((.request(number, request), message))
      try sendNext()
    }
  }

  /// The name that the member expects in the header.
  private var host: String {
    if case .network = address { return address.description }
    return "localhost"
  }

  private func sendNext() throws(EngineError) {
    guard current == nil, let next = queue.popFirst() else { return }
    if queue.isEmpty { queue = [] }
    var isFirst = true
    if case .request = next.purpose { isFirst = false }
    let bytes = next.message.http(host: host, token: token)
    requestDeadline =
      SystemClock.sinceBoot() + timeout(isFirst: isFirst) + Self.sendTime(of: bytes.count)
    current = next.purpose
    try requests.send(bytes)
  }

  /// The time of a request over a slow connection: 32 KiB a second.
  package static func sendTime(of byteCount: Int) -> Int64 {
    Int64(byteCount) * 1_000_000_000 / 32_768
  }

  private func timeout(isFirst: Bool) -> Int64 {
    if isFirst, case .ssh = address { Self.loginTimeout } else { Self.replyTimeout }
  }

  /// Reads what has arrived. An error ends the link.
  package func process() throws(EngineError) -> [AgentEvent] {
    var events: [AgentEvent] = []
    try requests.flush()
    while let event = try requests.next() {
      guard case .reply(let status, let body) = event, let purpose = current else {
        throw .notEtcd("a reply without a request")
      }
      (current, requestDeadline) = (nil, nil)
      if let event = try self.event(purpose, status, body) { events.append(event) }
      try sendNext()
    }
    if let watch {
      try watch.flush()
      while let event = try watch.next() {
        switch event {
        case .line(let line):
          watchDeadline = nil
          if let changes = try EtcdReply(status: 200, body: line).changes() {
            events.append(.changed(changes))
          }
        case .reply(let status, let body):
          _ = try EtcdReply(status: status, body: body)
          throw .notEtcd("a watch has ended")
        case .end: throw .unavailable("etcd has ended the watch")
        }
      }
    }
    if let deadline, deadline <= SystemClock.sinceBoot() {
      throw .unavailable("etcd at \(address) does not answer")
    }
    return events
  }

  private func event(
    _ purpose: Purpose, _ status: Int, _ body: ContiguousArray<UInt8>
  ) throws(EngineError) -> AgentEvent? {
    do throws(EngineError) {
      let reply = try EtcdReply(status: status, body: body)
      switch purpose {
      case .authentication:
        token = try reply.token()
        return nil
      case .status: return .opened(databaseSize: try reply.databaseSize())
      case .request(let number, let request):
        return .engineReply(number, try reply.reply(to: request))
      }
    } catch {
      if case .request(let number, _) = purpose, error == .full {
        return .engineReply(number, .full)
      }
      throw error
    }
  }
}
