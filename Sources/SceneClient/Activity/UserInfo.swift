package import SceneJSON

/// A JSON object with the program's own state.
///
/// It keeps its text: unchanged members stay byte for byte, also numbers that no Swift type can
/// hold. A member is read as the requested type, or with `as?` as in UIKit:
///
/// ```swift
/// let line = activity.userInfo["line"] ?? 0
/// let name = activity.userInfo?["name"] as? String
/// ```
///
/// The userInfo of a session has at most 64 KiB by default. The userInfo of an activity is part of
/// the activity's size.
public struct UserInfo: Hashable, Sendable {
  private var text: ObjectText

  /// Makes an empty object.
  public init() { text = .empty }

  /// Makes an object from a dictionary, sorted by name.
  ///
  /// - Parameter dictionary: the members; for a session, at most 64 KiB as JSON by default.
  public init(_ dictionary: [String: any UserInfoValue]) {
    self.init()
    add(dictionary)
  }

  /// Makes an object from its JSON text, unchanged.
  ///
  /// - Parameter json: the text, at most 64 levels of nesting.
  /// - Throws: ``SceneError/Code/invalidParams`` with the place of the error.
  public init(json: String) throws(SceneError) {
    let document = JSONDocument()
    do throws(JSONError) {
      try document.read(json.utf8)
    } catch {
      throw SceneError(.invalidParams, "userInfo: \(error)")
    }
    guard document.root.kind == .object else {
      throw SceneError(.invalidParams, "userInfo: expected an object")
    }
    text = ObjectText(document.root.raw)
  }

  /// For bytes that are a valid object.
  package init(unchecked raw: RawJSON) { text = ObjectText(raw) }

  package var raw: RawJSON { text.json }

  /// The JSON text of the object, without surrounding whitespace.
  public var json: String { text.json.description }

  /// The names of the members, in the order of the text.
  public var names: [String] { text.names }

  /// Whether the object has no member.
  public var isEmpty: Bool { text.json == .emptyObject || names.isEmpty }

  /// The member of this name as the requested type; nil if it is missing or has another type.
  /// Setting nil removes it.
  ///
  /// - Parameter name: the name of the member.
  public subscript<Value: UserInfoValue>(name: String) -> Value? {
    get { text[name].flatMap { Value(jsonText: $0.description) } }
    set { text[name] = newValue.map(RawJSON.init(of:)) }
  }

  /// The member of this name with its natural type, for a cast with `as?`; nil if it is missing.
  ///
  /// The natural types are `String`, `Bool`, `Int` (above its range `UInt64`), and `Double` for
  /// other numbers. An array whose elements have one natural type is an array of that type. An
  /// object is likewise a dictionary, and otherwise a ``UserInfo``. For another value, such as
  /// null, the member is nil.
  ///
  /// - Parameter name: the name of the member.
  @_disfavoredOverload
  public subscript(name: String) -> (any UserInfoValue)? {
    text[name].flatMap(NaturalType.value(of:))
  }

  /// The text of the member of this name, byte for byte.
  ///
  /// - Parameter name: the name of the member.
  /// - Returns: The text; nil if the member is missing.
  public func json(of name: String) -> String? { text[name]?.description }

  /// Sets members, sorted by name. The other members keep their bytes.
  mutating func add(_ entries: [String: any UserInfoValue]) {
    for (name, value) in entries.sorted(by: { $0.key < $1.key }) { text[name] = RawJSON(of: value) }
  }
}

extension Optional where Wrapped == UserInfo {
  /// The member of this name as the requested type; nil if it is missing or has another type.
  /// Setting a value makes the object if there is none.
  ///
  /// - Parameter name: the name of the member.
  public subscript<Value: UserInfoValue>(name: String) -> Value? {
    get { flatMap { $0[name] } }
    set {
      guard self != nil || newValue != nil else { return }
      var info = self ?? UserInfo()
      info[name] = newValue
      self = info
    }
  }

  /// The member of this name with its natural type, for a cast with `as?`; nil if it is missing.
  ///
  /// - Parameter name: the name of the member.
  @_disfavoredOverload
  public subscript(name: String) -> (any UserInfoValue)? { flatMap { $0[name] } }
}

extension UserInfo: ExpressibleByDictionaryLiteral {
  /// Makes an object from a dictionary literal. The members keep their order.
  ///
  /// - Parameter elements: the members; the last of two equal names counts.
  public init(dictionaryLiteral elements: (String, any UserInfoValue)...) {
    self.init()
    for (name, value) in elements { text[name] = RawJSON(of: value) }
  }
}

extension UserInfo: UserInfoValue {
  public init?(jsonText: String) {
    guard let info = try? UserInfo(json: jsonText) else { return nil }
    self = info
  }

  public var jsonText: String { json }
}

extension UserInfo: CustomStringConvertible {
  public var description: String { json }
}

extension RawJSON {
  init(of value: any UserInfoValue) {
    do throws(JSONError) {
      try self.init(validating: value.jsonText.utf8)
    } catch {
      preconditionFailure("\(type(of: value)).jsonText is not JSON: \(error)")
    }
  }
}
