package import SceneModel

/// A connection's number, never given out twice.
package struct ConnectionIdentifier: Hashable, Comparable, Sendable {
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }

  /// The broker makes these numbers, so a client cannot choose them to collide. The broker looks
  /// them up several times for each message.
  package func _rawHashValue(seed: Int) -> Int { number.mixed(with: seed) }

  package static func < (one: Self, other: Self) -> Bool { one.number < other.number }
}

/// Something that happened outside, as far as the rules must know it.
package enum BrokerEvent: Equatable, Sendable {
  /// The first event. The broker reserves the sessions of the previous holders that still run.
  case started(living: [ClientProcess])
  case opened(ConnectionIdentifier, ClientProcess)
  /// A request without an identifier gets no reply.
  case requested(ConnectionIdentifier, RequestIdentifier?, RequestMethod, ClientRequest)
  case answered(ConnectionIdentifier, callback: Int64, CallbackAnswer)
  /// The other end says no more, and waits for what it has asked.
  case finished(ConnectionIdentifier)
  /// The connection is gone, for this reason.
  case closed(ConnectionIdentifier, DisconnectReason)
  /// A timer ran out. A client that is being debugged is not held to its budget.
  case due(BrokerTimer, debugged: Bool)
  /// The answer to an inquiry: which of the processes are coming to an end.
  case inquired(InquiryIdentifier, ending: [ClientProcess])
  /// What the disk can take now; where it cannot, `problem` is a clause for people.
  case storage(RecordRoom, problem: String? = nil)
  /// A process was started as was asked; `token` is what it will show.
  case launched(LaunchIdentifier, ClientProcess, token: String)
  /// None could be; why, for people.
  case notLaunched(LaunchIdentifier, problem: String)
  /// A process that was started has ended.
  case exited(LaunchIdentifier, ClientExit)
  /// Everything up to this record is on disk.
  case synced(UInt64)
  /// All that was sent to a connection has been taken, as `drains` asked for.
  case drained(ConnectionIdentifier)
  /// The outcome of the first of `signals` without an answer.
  case signalled(SignalOutcome)
  /// A virtual clock is where the first of `advances` wanted it.
  case clockAdvanced
  /// The manifest was read again, as `readsManifest` asked for or as a signal did.
  case manifestRead(ManifestReading)
  /// The directory of a session, as the first `make` of it asked for.
  case dataDirectoryMade(SessionIdentifier, DataDirectoryOutcome)
  /// All that was ready in this round has been handled: what is merged for each round goes out.
  case roundEnded
  /// The application is to end in order.
  case terminate
}

/// The outcome of a request to send a signal.
package enum SignalOutcome: Equatable, Sendable {
  /// It was sent; its name without "SIG".
  case sent(String)
  /// The process had ended.
  case gone
  /// There is no such signal.
  case unknown
  /// The system did not allow it; why, for people.
  case refused(String)
}

/// What a client answered to a callback.
package enum CallbackAnswer: Equatable, Sendable {
  case done
  /// To `stateRestorationActivity` alone.
  case activity(Patch<Activity>)
  /// To `didFinishLaunching` alone: whether the application delegate takes what its options carry.
  case launched(accepted: Bool)
  /// To `configurationForConnecting` alone.
  case configuration(ConfigurationForConnecting.Answer)
  case failed(message: String)
}

package enum BrokerTimer: Hashable, Sendable {
  /// The budget of a callback.
  case callback(ConnectionIdentifier, Int64)
  /// The time in which sessions are kept for the holders of before.
  case grace
  /// Until holders of before that somebody waits for are looked after again.
  case watch
  /// The time a request waits for a holder that is coming to its end.
  case inquiry(InquiryIdentifier)
  /// The time scenes have to go down the line when the application ends.
  case shutdown
  /// When a scene will have been in the background for as long as the policy lets it.
  case reclaim
  /// The time that a scene is kept from being reclaimed.
  case assertion(SessionIdentifier, Int64)
  /// The time that a process has to say who it is that was started for a session.
  case launch(SessionIdentifier)
  /// The pause before another is started.
  case relaunch(SessionIdentifier)
}

package struct InquiryIdentifier: Hashable, Sendable {
  package let number: UInt64
}

/// Which records there is room for now.
package enum RecordRoom: String, CaseIterable, Sendable {
  case ok
  /// None of what grows: no new sessions, no saves, nothing longer in the place of something.
  case full
  /// No record at all, except ends of holds.
  case exhausted
  /// Too much waits to be synced: the same, but not for long. The rules count that themselves.
  case behind

  /// Why what wants to be written finds no room; nil if it does.
  package func refusal(of writing: Writing) -> ErrorReason? {
    switch (self, writing) {
    case (.ok, _), (.full, .little): nil
    case (.full, .growing), (.exhausted, _): .storageFull
    case (.behind, _): .tooMany
    }
  }
}

/// What a request wants recorded, as far as it matters to a disk that is full or behind.
package enum Writing: CaseIterable, Sendable {
  /// As much as what it takes the place of, or less, or a few bytes: who holds a session, or that
  /// something is gone.
  case little
  /// More than there was.
  case growing
}
