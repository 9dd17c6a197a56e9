import SceneModel

/// A condition on a target content identifier. Corresponds to `NSPredicate`.
///
/// The grammar is that of NSPredicate for `self`: `TRUEPREDICATE`, `==`, `!=`, `BEGINSWITH`,
/// `ENDSWITH`, `CONTAINS`, `LIKE`, `MATCHES`, `IN {…}`, `AND`, `OR`, `NOT`, parentheses, `[cd]`.
public struct ScenePredicate: Hashable, Sendable {
  /// The text of the condition. Corresponds to `NSPredicate.predicateFormat`.
  public let predicateFormat: String

  /// Makes a condition from a text in the source. Corresponds to `NSPredicate.init(format:_:)`. A
  /// wrong text is a fault of the program and ends it.
  ///
  /// A value of MATCHES can come from a user: if the value is no regular expression, its comparison
  /// is false. The initializer with any text throws the reason.
  ///
  /// - Parameters:
  ///   - format: the text, at most 4 KiB by default.
  ///   - arguments: the values of `%@`, each a `String`, or an array of them for IN, and of `%K`,
  ///     which can only be `"self"`. They need no quotes and no escapes.
  public init(format: StaticString, _ arguments: any UserInfoValue...) {
    do throws(MemberError) {
      predicateFormat = try Self.text("\(format)", arguments, forgivesValues: true)
    } catch {
      preconditionFailure("ScenePredicate(format: \"\(format)\"): \(error)")
    }
  }

  /// Makes a condition from any text. Corresponds to `NSPredicate.init(format:_:)`.
  ///
  /// - Parameters:
  ///   - format: the text, at most 4 KiB by default.
  ///   - arguments: the values of `%@` and `%K`.
  /// - Throws: ``SceneError/Code/invalidPredicate`` with the place of the error and the expected
  ///   text.
  @_disfavoredOverload
  public init(
    format: some StringProtocol, _ arguments: any UserInfoValue...
  ) throws(SceneError) {
    do throws(MemberError) {
      predicateFormat = try Self.text(String(format), arguments, forgivesValues: false)
    } catch {
      throw SceneError(.invalidPredicate, error.description)
    }
  }

  /// A condition that is always or never true. Corresponds to `NSPredicate.init(value:)`.
  ///
  /// - Parameter value: the result for every identifier.
  public init(value: Bool) { predicateFormat = value ? "TRUEPREDICATE" : "FALSEPREDICATE" }

  /// The text of the broker, which may have other forms.
  package init(written: String) { predicateFormat = written }

  private static func text(
    _ format: String, _ values: [any UserInfoValue], forgivesValues: Bool
  ) throws(MemberError) -> String {
    var arguments: [PredicateArgument] = []
    for value in values {
      if let text = value as? String {
        arguments.append(.text(text))
      } else if let texts = value as? [String] {
        arguments.append(.texts(texts))
      } else {
        throw MemberError(
          problem: "expected a String or an array of String for %@, found \(type(of: value))")
      }
    }
    return try ActivationPredicate(format, arguments, forgivesValues: forgivesValues).description
  }
}

extension ScenePredicate {
  /// A condition that is true for this text only.
  ///
  /// - Parameter text: the text, which needs no escapes.
  /// - Returns: The condition.
  public static func equals(_ text: String) -> Self { Self(format: "self == %@", text) }

  /// A condition that is true for the identifiers with this beginning.
  ///
  /// - Parameter text: the beginning, which needs no escapes.
  /// - Returns: The condition.
  public static func beginsWith(_ text: String) -> Self { Self(format: "self BEGINSWITH %@", text) }

  /// A condition that is true for the identifiers with this end.
  ///
  /// - Parameter text: the end, which needs no escapes.
  /// - Returns: The condition.
  public static func endsWith(_ text: String) -> Self { Self(format: "self ENDSWITH %@", text) }

  /// A condition that is true for the identifiers with this text anywhere.
  ///
  /// - Parameter text: the text, which needs no escapes.
  /// - Returns: The condition.
  public static func contains(_ text: String) -> Self { Self(format: "self CONTAINS %@", text) }

  /// A condition that is true if both are. Corresponds to
  /// `NSCompoundPredicate.init(andPredicateWithSubpredicates:)`.
  ///
  /// - Parameters:
  ///   - one: a condition.
  ///   - other: another condition.
  /// - Returns: The combination.
  public static func && (one: Self, other: Self) -> Self { one.joined("AND", other) }

  /// A condition that is true if one of both is. Corresponds to
  /// `NSCompoundPredicate.init(orPredicateWithSubpredicates:)`.
  ///
  /// - Parameters:
  ///   - one: a condition.
  ///   - other: another condition.
  /// - Returns: The combination.
  public static func || (one: Self, other: Self) -> Self { one.joined("OR", other) }

  /// A condition that is true if this one is not. Corresponds to
  /// `NSCompoundPredicate.init(notPredicateWithSubpredicate:)`.
  ///
  /// - Parameter condition: the other condition.
  /// - Returns: The opposite.
  public static prefix func ! (condition: Self) -> Self {
    Self(canonical: "NOT (\(condition.predicateFormat))")
  }

  private func joined(_ word: String, _ other: Self) -> Self {
    Self(canonical: "(\(predicateFormat)) \(word) (\(other.predicateFormat))")
  }

  /// The broker refuses a text that is nested too deep, and names the place.
  private init(canonical text: String) {
    predicateFormat = (try? ActivationPredicate(text, maximumDepth: .max))?.description ?? text
  }
}
