package import JSON

/// Where a scene is on the line from no process at all to the foreground.
package enum ActivationState: String, CaseIterable, Sendable {
  case unattached
  case background
  case foregroundInactive
  case foregroundActive

  /// The number UIKit gives the state.
  package var uiKitValue: Int64 {
    switch self {
    case .unattached: -1
    case .background: 2
    case .foregroundInactive: 1
    case .foregroundActive: 0
    }
  }

  /// How far along the line, from 0.
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
