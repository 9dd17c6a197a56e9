package import SceneJSON

/// The kind of the application delegate's callback.
package enum DelegateCallbackKind: String, CaseIterable, Sendable {
  case willFinishLaunching
  case didFinishLaunching
  case configurationForConnecting
  case didDiscardSceneSessions
  case willTerminate

  package var method: StaticString {
    switch self {
    case .willFinishLaunching: "application/willFinishLaunching"
    case .didFinishLaunching: "application/didFinishLaunching"
    case .configurationForConnecting: "application/configurationForConnecting"
    case .didDiscardSceneSessions: "application/didDiscardSceneSessions"
    case .willTerminate: "application/willTerminate"
    }
  }
}

/// A request of the broker to the application delegate; the reply is the acknowledgement.
package enum DelegateCallback: Equatable, Sendable {
  case willFinishLaunching
  /// The reply can decline the options.
  case didFinishLaunching(DidFinishLaunching)
  /// The reply can choose the configuration.
  case configurationForConnecting(ConfigurationForConnecting)
  case didDiscardSceneSessions(DidDiscardSceneSessions)
  case willTerminate

  package var kind: DelegateCallbackKind {
    switch self {
    case .willFinishLaunching: .willFinishLaunching
    case .didFinishLaunching: .didFinishLaunching
    case .configurationForConnecting: .configurationForConnecting
    case .didDiscardSceneSessions: .didDiscardSceneSessions
    case .willTerminate: .willTerminate
    }
  }

  package func writeParams(to writer: inout JSONWriter) {
    switch self {
    case .willFinishLaunching, .willTerminate: Empty().write(to: &writer)
    case .didFinishLaunching(let message): message.write(to: &writer)
    case .configurationForConnecting(let message): message.write(to: &writer)
    case .didDiscardSceneSessions(let message): message.write(to: &writer)
    }
  }

  /// Nil for an unknown callback.
  package init?(method: JSONValue, params: JSONValue) throws(MemberError) {
    guard let kind = DelegateCallbackKind.allCases.first(where: { method.equals($0.method) })
    else { return nil }
    try self.init(kind: kind, params: params)
  }

  package init(kind: DelegateCallbackKind, params: JSONValue) throws(MemberError) {
    switch kind {
    case .willFinishLaunching: self = .willFinishLaunching
    case .didFinishLaunching: self = .didFinishLaunching(try DidFinishLaunching(reading: params))
    case .configurationForConnecting:
      self = .configurationForConnecting(try ConfigurationForConnecting(reading: params))
    case .didDiscardSceneSessions:
      self = .didDiscardSceneSessions(try DidDiscardSceneSessions(reading: params))
    case .willTerminate: self = .willTerminate
    }
  }
}
