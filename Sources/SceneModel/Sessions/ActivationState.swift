package import SceneJSON

/// The state of a scene, from no process to the foreground.
package enum ActivationState: String, CaseIterable, Sendable {
  case unattached
  case background
  case foregroundInactive
  case foregroundActive

  /// The raw value in UIKit.
  package var uiKitValue: Int64 {
    switch self {
    case .unattached: -1
    case .background: 2
    case .foregroundInactive: 1
    case .foregroundActive: 0
    }
  }

  /// The position in the order of states, from 0.
  package var rank: Int {
    switch self {
    case .unattached: 0
    case .background: 1
    case .foregroundInactive: 2
    case .foregroundActive: 3
    }
  }
}

extension ActivationState: Comparable {
  package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }
}

extension ActivationState: JSONCodable {
  package static var expectation: String {
    "a state (unattached, background, foregroundInactive or foregroundActive)"
  }

  package init(reading value: JSONValue) throws(MemberError) {
    for state in Self.allCases where value.equals(state.name) {
      self = state
      return
    }
    throw .expected(oneOf: Self.self, found: value)
  }

  package func write(to writer: inout JSONWriter) { writer.string(plain: name) }

  private var name: StaticString {
    switch self {
    case .unattached: "unattached"
    case .background: "background"
    case .foregroundInactive: "foregroundInactive"
    case .foregroundActive: "foregroundActive"
    }
  }
}
