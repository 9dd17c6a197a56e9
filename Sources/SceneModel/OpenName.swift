package import JSON

/// A set of names that may grow on the wire: unknown ones are carried, never refused.
package protocol OpenName: RawRepresentable, Hashable, Sendable, JSONCodable,
  CustomStringConvertible
where RawValue == String {
  init(rawValue: String)
}

extension OpenName {
  package static var expectation: String { "a string" }
  package var description: String { rawValue }

  package init(reading value: JSONValue) throws(MemberError) {
    self.init(rawValue: try String(reading: value))
  }
}

/// What a session's scenes are for.
package struct Role: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let windowApplication = Role(rawValue: "windowApplication")
  package static let windowExternalDisplay = Role(rawValue: "windowExternalDisplay")

  /// The state that scenes of this role can reach: an external display takes no input, so it never
  /// becomes active.
  package var ceiling: ActivationState {
    self == .windowExternalDisplay ? .foregroundInactive : .foregroundActive
  }
}

/// Why a scene is connected.
package struct ConnectReason: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The session had never been held.
  package static let launch = ConnectReason(rawValue: "launch")
  /// It had been disconnected in order.
  package static let restore = ConnectReason(rawValue: "restore")
  /// Its last holder went without a word, or was cut.
  package static let recover = ConnectReason(rawValue: "recover")
  /// The same client goes on where it was.
  package static let resume = ConnectReason(rawValue: "resume")
  /// The application asked for it.
  package static let activation = ConnectReason(rawValue: "activation")
  /// A URL was opened.
  package static let url = ConnectReason(rawValue: "url")
  /// An activity is continued, from this device or another.
  package static let continuation = ConnectReason(rawValue: "continuation")
  /// A notification was answered.
  package static let notification = ConnectReason(rawValue: "notification")
  /// A shortcut was chosen.
  package static let shortcut = ConnectReason(rawValue: "shortcut")
  /// What it shows was out of date.
  package static let refresh = ConnectReason(rawValue: "refresh")
}

/// Why a scene was disconnected.
package struct DisconnectReason: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let clientRequest = DisconnectReason(rawValue: "clientRequest")
  package static let connectionLost = DisconnectReason(rawValue: "connectionLost")
  package static let reclaimed = DisconnectReason(rawValue: "reclaimed")
  package static let discarded = DisconnectReason(rawValue: "discarded")
  package static let replaced = DisconnectReason(rawValue: "replaced")
  package static let refused = DisconnectReason(rawValue: "refused")
  package static let watchdog = DisconnectReason(rawValue: "watchdog")
  package static let slowReader = DisconnectReason(rawValue: "slowReader")
  package static let diskBehind = DisconnectReason(rawValue: "diskBehind")
  package static let violation = DisconnectReason(rawValue: "violation")
  package static let shutdown = DisconnectReason(rawValue: "shutdown")

  /// Whether the client was there to say it: it left in order, or would not have the scene.
  package var isByClient: Bool { self == .clientRequest || self == .refused }

  /// What the next connect is told: whether the last holder left in order.
  package var nextConnectReason: ConnectReason {
    let withoutAWord: [DisconnectReason] = [
      .replaced, .slowReader, .diskBehind, .violation, .watchdog, .connectionLost,
    ]
    return withoutAWord.contains(self) ? .recover : .restore
  }
}
