/// A condition before a line, such as `[linux]` or `[!env:CI]`. The line runs only if the condition
/// holds.
package struct LineCondition: Equatable, Sendable {
  package enum Fact: Equatable, Sendable {
    case linux
    case darwin
    /// The variable is set and not empty.
    case environment(String)
  }

  package var fact: Fact
  package var isNegated: Bool

  package init(_ fact: Fact, isNegated: Bool = false) {
    self.fact = fact
    self.isNegated = isNegated
  }

  package func holds(in environment: [String: String]) -> Bool {
    let isSo =
      switch fact {
      case .linux: Self.isLinux
      case .darwin: !Self.isLinux
      case .environment(let name): !environment[name, default: ""].isEmpty
      }
    return isSo != isNegated
  }

  private static var isLinux: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }
}

extension LineCondition {
  /// Parses the text between the brackets; nil if it is no condition.
  init?(_ text: String) {
    isNegated = text.hasPrefix("!")
    let name = isNegated ? String(text.dropFirst()) : text
    if name == "linux" {
      fact = .linux
    } else if name == "darwin" {
      fact = .darwin
    } else if name.hasPrefix("env:"), name.count > 4 {
      fact = .environment(String(name.dropFirst(4)))
    } else {
      return nil
    }
  }
}
