/// How long a client may take over a callback before its scene is taken for hung.
package struct Budgets: Equatable, Sendable {
  package var connect: Interval
  package var standard: Interval
  /// By the callback's name, where it differs.
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
  /// What can be given a budget: `connect`, `default`, and every callback by its name.
  package static let names =
    ["connect", "default"] + CallbackKind.allCases.map(\.rawValue)
    + DelegateCallbackKind.allCases.map(\.rawValue)

  /// One of ``names``.
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
