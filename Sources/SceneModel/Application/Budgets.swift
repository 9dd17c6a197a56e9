/// The time that a client has for a callback, before the broker disconnects its scene.
package struct Budgets: Equatable, Sendable {
  package var connect: Interval
  package var standard: Interval
  /// By the callback's name, if it differs from `standard`.
  package var special: [String: Interval]

  package init(
    connect: Interval = .seconds(20), standard: Interval = .seconds(5),
    special: [String: Interval] = [:]
  ) {
    self.connect = connect
    self.standard = standard
    self.special = special
  }
}

extension Budgets {
  /// The names of budgets: `connect`, `default`, and each callback.
  package static let names =
    ["connect", "default"] + CallbackKind.allCases.map(\.rawValue)

  /// The budget with one of ``names``.
  package subscript(name: String) -> Interval {
    get {
      switch name {
      case "connect": connect
      case "default": standard
      default: special[name] ?? standard
      }
    }
    set {
      switch name {
      case "connect": connect = newValue
      case "default": standard = newValue
      default: special[name] = newValue
      }
    }
  }
}
