import SceneModel

/// `scene/signal`: the broker sends the signal itself, so that it knows the sender before it learns of
/// the end, and tells of no signal that was not sent.
extension Broker {
  mutating func signal(_ message: SceneSignal, _ requester: Requester) {
    do throws(BrokerError) {
      guard store.listed(message.session) != nil else { throw notFound(message.session) }
      guard let holder = scenes[message.session]?.holder, let process = peers[holder]?.process,
        let sender = reference(to: requester)
      else { throw unattached(message.session) }
      guard message.pid ?? process.pid == process.pid else {
        throw inUse(message.session, by: holder)
      }
      // 0 and less stand for groups of processes, 1 for the system's own.
      guard process.pid > 1, process.pid != identity.pid else {
        throw BrokerError(
          .requestDenied,
          "the broker does not send signals to process \(process.pid) of \(label(of: message.session))"
        )
      }
      signalling.append(
        PendingSignal(
          session: message.session, process: process, signal: message.signal, sender: sender,
          requester: requester))
      effects.signals.append(SignalRequest(process: process, signal: message.signal))
    } catch {
      refuse(requester, error)
    }
  }

  /// Handles the outcome of the oldest pending signal.
  mutating func take(_ outcome: SignalOutcome) {
    guard !signalling.isEmpty else { return }
    let pending = signalling.removeFirst()
    switch outcome {
    case .sent(let name):
      noteSent(SentSignal(name, by: pending.sender), to: pending.process)
      reply(pending.requester, .empty, about: pending.session)
    case .gone:
      reply(pending.requester, .empty, about: pending.session)
    case .unknown:
      refuse(
        pending.requester,
        BrokerError(
          .invalidParams, "signal: no signal is called \(pending.signal.clipped(to: 100))"))
    case .refused(let problem):
      refuse(
        pending.requester, BrokerError(.notPermitted, "process \(pending.process.pid): \(problem)"))
    }
  }

  /// The signal that explains an end of the client's scene now. No process survives KILL. Another
  /// signal explains only an end within ten seconds, because a process can ignore the signal.
  func signalThatEnds(_ client: ConnectionIdentifier) -> SentSignal? {
    guard let peer = peers[client], let signal = peer.signal else { return nil }
    let isRecent = now.monotonic - peer.signalSent <= Interval.seconds(10).nanoseconds
    return signal.endsEveryProcess || isRecent ? signal : nil
  }

  /// All scenes of the process have it, on each of its connections.
  private mutating func noteSent(_ sent: SentSignal, to process: ClientProcess) {
    let connections = peers.filter { $0.value.process == process }.keys.sorted()
    for connection in connections {
      if SentSignal.endsProcesses(sent.signal) {
        peers[connection]?.signal = sent
        peers[connection]?.signalSent = now.monotonic
      }
      for session in peers[connection]?.held ?? [] {
        tell(.signalled, session, reason: sent.signal, sender: sent.by)
      }
    }
  }
}

/// A signal that the edge is to send.
struct PendingSignal: Equatable {
  let session: SessionIdentifier
  let process: ClientProcess
  let signal: String
  let sender: ClientReference
  let requester: Requester
}
