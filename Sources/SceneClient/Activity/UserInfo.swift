package import SceneJSON

/// A JSON object with the program's own state.
///
/// It keeps its text: unchanged members stay byte for byte, also numbers that no Swift type can
/// hold. A member is read with `as?` as in UIKit:
///
/// ```swift
/// let line = activity.userInfo?["line"] as? Int ?? 0
/// ```
///
/// Objects are equal if their members have equal values, in any order. The userInfo of a session
/// has at most 64 KiB by default. The userInfo of an activity is part of the activity's size.
public struct UserInfo: Hashable, Sendable {
  private var text: ObjectText

  /// Makes an object from a dictionary, sorted by name.
  ///
  /// - Parameter dictionary: the members; for a session, at most 64 KiB as JSON by default.
  public init(_ dictionary: [String: any UserInfoValue]) {
    text = .empty
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

  /// Whether the object has no member.
  public var isEmpty: Bool { text.isEmpty }

  /// The member of this name, for a cast with `as?`; nil if it is missing. Setting nil removes it.
  ///
  /// The types are `String`, `Bool`, `Int` (above its range `UInt64`), and `Double` for other
  /// numbers. An array whose elements have one type is an array of that type. An object is likewise
  /// a dictionary, and otherwise a ``UserInfo``. For another value, such as null, the member is
  /// nil. ``decode(_:)`` reads members as other types.
  ///
  /// - Parameter name: the name of the member.
  public subscript(name: String) -> (any UserInfoValue)? {
    get { text[name].flatMap(NaturalType.value(of:)) }
    set { text[name] = newValue.map(RawJSON.init(of:)) }
  }

  /// The member of this name as its text.
  subscript(json name: String) -> RawJSON? {
    get { text[name] }
    set { text[name] = newValue }
  }

  /// The object of this name; nil if there is none.
  func object(named name: String) -> UserInfo? {
    text[name].flatMap { $0.bytes.first == UInt8(ascii: "{") ? UserInfo(unchecked: $0) : nil }
  }

  /// Sets members, sorted by name. The other members keep their bytes.
  mutating func add(_ entries: [String: any UserInfoValue]) {
    for (name, value) in entries.sorted(by: { $0.key < $1.key }) { text[name] = RawJSON(of: value) }
  }
}

extension UserInfo: ExpressibleByDictionaryLiteral {
  /// Makes an object from a dictionary literal. The members keep their order.
  ///
  /// - Parameter elements: the members; the last of two equal names counts.
  public init(dictionaryLiteral elements: (String, any UserInfoValue)...) {
    text = .empty
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

/// In another ``UserInfo``, the object is a member as it is. Other coders have its JSON text as a
/// string.
extension UserInfo: Codable {
  public init(from decoder: any Decoder) throws { self = try UserInfo(json: String(from: decoder)) }

  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
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
