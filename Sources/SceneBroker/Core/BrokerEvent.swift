package import SceneModel

/// The number of a connection. No two connections have the same number.
package struct ConnectionIdentifier: Hashable, Comparable, Sendable {
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }

  /// The broker makes these numbers, so a client cannot choose them to collide. The broker looks
  /// them up several times for each message.
  package func _rawHashValue(seed: Int) -> Int { number.mixed(with: seed) }

  // Other modules do not call the synthesized == directly.
  package static func == (one: Self, other: Self) -> Bool { one.number == other.number }

  package static func < (one: Self, other: Self) -> Bool { one.number < other.number }
}

/// An event of the event loop, for the rules. A request is no event: it has a `handle` of its own.
package enum BrokerEvent: Equatable, Sendable {
  /// The first event. The broker reserves the sessions of the previous holders that still run.
  /// `booted` is the start of the machine in milliseconds since 1970, if it is known, and
  /// `directories` are the sessions that have one.
  case started(
    living: [ClientProcess], booted: Int64? = nil, directories: [SessionIdentifier] = [])
  case opened(ConnectionIdentifier, ClientProcess)
  case answered(ConnectionIdentifier, callback: Int64, CallbackAnswer)
  /// The client sends nothing more, and waits for its replies.
  case finished(ConnectionIdentifier)
  /// The connection has closed, for this reason. `exitFollows` says whether the event loop can read
  /// how the process ends.
  case closed(ConnectionIdentifier, DisconnectReason, exitFollows: Bool = false)
  /// A timer has expired. The time of a callback does not count for a client under a debugger, and
  /// the time of a ping does not count for a stopped one either.
  case due(BrokerTimer, ProcessHalt? = nil)
  /// The answer to a liveness query: the processes that are about to end.
  case livenessQueried(LivenessQueryIdentifier, ending: [ClientProcess])
  /// The room for records. `problem` is the cause of a shortage, for people.
  case storage(StorageCapacity, problem: String? = nil)
  /// The event loop has started a process. The process shows `token` in `initialize`.
  case launched(LaunchIdentifier, ClientProcess, token: String)
  /// The event loop could not start a process. `problem` is the cause, for people.
  case notLaunched(LaunchIdentifier, problem: String)
  /// A started process has ended.
  case exited(LaunchIdentifier, ClientExit)
  /// The exit of a connection's process, directly before the connection closes or later; nil if the
  /// system does not tell it yet.
  case exitRead(ConnectionIdentifier, ClientExit?)
  /// All records up to this number are durable, as far as the durability of this broker requires.
  case synced(UInt64)
  /// The connection has read everything, as `BrokerCommand.drain` requested.
  case drained(ConnectionIdentifier)
  /// The outcome of the first `BrokerCommand.signal` without an outcome.
  case signalled(SignalOutcome)
  /// The virtual clock has reached the time of the first `BrokerCommand.advance`.
  case clockAdvanced
  /// The event loop has read the manifest again, for `BrokerCommand.readManifest` or for a signal.
  case manifestRead(ManifestReading)
  /// The command `upgrade` has ended; nil if the new program can replace this one.
  case upgradeChecked(BrokerError?)
  /// This program reads nothing more, and another one takes its place.
  case inputEnded
  /// The event loop has changed the watch of memory pressure. The words are for the status.
  case pressureWatched(String?)
  /// The system reports that memory is short.
  case pressureReported
  /// The event loop has measured for a step. The step is `Broker.nextPressureStep`.
  indirect case pressureMeasured(PressureStep?, PressureFigures, isRequested: Bool)
  /// The event loop has made the directory of a session.
  case dataDirectoryMade(SessionIdentifier, DataDirectoryOutcome)
  /// All input that was ready is taken. Merged messages, such as changes, go out.
  case inputTaken
  /// The application shuts down.
  case terminate
}

/// Why a process does not run, or runs slowly, without a fault of its own.
package enum ProcessHalt: String, Sendable {
  case stopped, debugged
}

/// The outcome of a request to send a signal.
package enum SignalOutcome: Equatable, Sendable {
  /// The signal was sent. The text is its name without "SIG".
  case sent(String)
  /// The process had ended.
  case gone
  /// No signal has this name.
  case unknown
  /// The system did not allow the signal. The text is the cause, for people.
  case refused(String)
}

/// The reply of a client to a callback.
package enum CallbackAnswer: Equatable, Sendable {
  case done
  /// The reply to `stateRestorationActivity`.
  case activity(Patch<Activity>)
  /// The reply to `didFinishLaunching`: whether the delegate accepts the content of its options.
  case launched(accepted: Bool)
  /// The reply to `configurationForConnecting`.
  case configuration(ConfigurationForConnecting.Answer)
  case failed(message: String)
}

package enum BrokerTimer: Hashable, Sendable {
  /// The time for a callback.
  case callback(ConnectionIdentifier, Int64)
  /// The time for which sessions are reserved for their previous holders.
  case reservations
  /// The time for which requests wait for the scenes after an upgrade.
  case resumption
  /// The interval between two liveness queries about previous holders.
  case livenessPoll
  /// The time for which a request waits for a holder that is about to end.
  case livenessQuery(LivenessQueryIdentifier)
  /// The time for all scenes to disconnect in a shutdown.
  case shutdown
  /// The time at which the reclaim policy must run.
  case reclaim
  /// The time of an assertion.
  case assertion(SessionIdentifier, Int64)
  /// The time for a started process to connect.
  case launch(SessionIdentifier)
  /// The delay before the next start of a program that failed to start.
  case relaunch(SessionIdentifier)
  /// The pause before the restart of a crashed program.
  case restart(SessionIdentifier)
  /// The time before the next attempt to read the exit of a client.
  case exit(ConnectionIdentifier)
  /// The time until a session leaves the trash.
  case trash
  /// The time at which the broker pings the scene, if its client has sent nothing.
  case ping(SessionIdentifier)
  /// The least time between two steps against a shortage of memory.
  case pressurePause
}

package struct LivenessQueryIdentifier: Hashable, Sendable {
  package let number: UInt64
}

/// The records that the journal has room for.
package enum StorageCapacity: String, CaseIterable, Sendable {
  case ok
  /// No growth: no new sessions, no saves, no longer texts.
  case full
  /// No record but the ends of holds.
  case exhausted
  /// Too many records wait for the disk. The broker counts them itself.
  case behind

  /// Why there is no room for a record; nil if there is.
  package func refusal(of writing: WriteIntent) -> ErrorReason? {
    switch (self, writing) {
    case (.ok, _), (.full, .bounded): nil
    case (.full, .growing), (.exhausted, _): .storageFull
    case (.behind, _): .tooMany
    }
  }
}

/// The growth of a record.
package enum WriteIntent: CaseIterable, Sendable {
  /// No longer than the record that it replaces, or a few bytes: a hold or a discard.
  case bounded
  /// Longer than the record that it replaces.
  case growing
}
