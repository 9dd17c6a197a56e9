import SceneModel

/// `initialize`: a connection becomes a client.
extension Broker {
  mutating func initialize(_ message: Initialize, _ attempt: Attempt) throws(BrokerError) {
    let requester = attempt.requester
    guard clients[requester.connection]?.isInitialized != true else {
      throw BrokerError(.alreadyInitialized, "this connection is already initialized")
    }
    guard let version = ProtocolRange.spoken.newest(with: message.protocolRange) else {
      let (ours, theirs) = (ProtocolRange.spoken, message.protocolRange)
      refuse(
        requester,
        BrokerError(
          .unsupportedProtocol,
          "no common protocol version: the broker supports \(ours.min) to \(ours.max), "
            + "the client \(theirs.min) to \(theirs.max)"))
      return close(requester.connection)
    }
    guard message.client.name.utf8.count <= limits.titleBytes,
      message.client.version.utf8.count <= limits.titleBytes
    else { throw BrokerError.tooLarge("client", limit: limits.titleBytes) }
    let hostBytes = message.hosts.reduce(0) { $0 + $1.utf8.count + 16 }
    guard hostBytes <= limits.userInfoBytes else {
      throw BrokerError.tooLarge("hosts", limit: limits.userInfoBytes)
    }
    var launch: LaunchIdentifier?
    if let token = message.launch {
      launch = try launches.launch(showing: token, as: message.kind)
    }
    if message.kind == .applicationDelegate, try !mayBeDelegate(message, attempt) { return }
    clients[requester.connection]?.initialize(message)
    clients[requester.connection]?.idleSince = now.monotonic
    replyInitialized(requester, version)
    trace(.joined, client: requester.connection)
    if message.kind == .applicationDelegate { delegate.connected(requester.connection) }
    if let launch {
      launchConnected(launch, on: requester.connection)
    } else if message.kind == .scene {
      reconnectLaunch(on: requester.connection)
    }
  }

  private mutating func replyInitialized(_ requester: Requester, _ version: Int64) {
    var answer = Initialize.Reply()
    answer.version = version
    answer.broker = identity
    answer.application.name = application
    answer.application.phase = phase
    answer.application.classic = manifest.isClassic
    answer.application.bundleName = manifest.bundleName
    answer.application.bundleVersion = manifest.bundleVersion
    answer.environment = manifest.updateEnvironment
    answer.limits.frameBytes = limits.frameBytes
    answer.limits.activityBytes = limits.activityBytes
    reply(requester, answer, about: nil)
  }
}
