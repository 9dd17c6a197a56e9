package import SceneJSON

/// A JSON object with the program's own state.
///
/// It keeps its text: unchanged members stay byte for byte, also numbers that no Swift type can
/// hold. A member is read as the requested type:
///
/// ```swift
/// let line = activity.userInfo["line"] ?? 0
/// ```
///
/// The userInfo of a session has at most 64 KiB by default. The userInfo of an activity is part of
/// the activity's size.
public struct UserInfo: Hashable, Sendable {
  private var text: ObjectText

  /// An empty object.
  public init() { text = .empty }

  /// Uses the text of a JSON object unchanged.
  ///
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

  /// The text, without surrounding whitespace.
  public var json: String { text.json.description }

  /// The names of the members, in order.
  public var names: [String] { text.names }

  /// The member of this name; nil if it is missing or has another type. Setting nil removes it.
  public subscript<Value: UserInfoValue>(name: String) -> Value? {
    get { text[name].flatMap { Value(jsonText: $0.description) } }
    set { text[name] = newValue.map(RawJSON.init(of:)) }
  }

  /// The text of the member of this name.
  public func json(of name: String) -> String? { text[name]?.description }
}

extension UserInfo: ExpressibleByDictionaryLiteral {
  /// The members in order; the last of two equal names counts.
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
  fileprivate init(of value: any UserInfoValue) {
    do throws(JSONError) {
      try self.init(validating: value.jsonText.utf8)
    } catch {
      preconditionFailure("\(type(of: value)).jsonText is not JSON: \(error)")
    }
  }
}
