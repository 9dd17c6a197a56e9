package import JSON

/// A JSON object of the program's own: what it wants to find again.
///
/// It keeps its text. What is not changed comes back byte for byte, also numbers that no Swift type
/// holds. A member is read as the type that is wanted:
///
/// ```swift
/// let line = activity.userInfo["line"] ?? 0
/// ```
///
/// That of a session may have 64 KiB, unless the broker was started with another limit; that of an
/// activity counts towards the activity.
public struct UserInfo: Hashable, Sendable {
  private var text: ObjectText

  /// An empty one.
  public init() { text = .empty }

  /// Takes the text of a JSON object as it is.
  ///
  /// - Throws: ``SceneError/Code/invalidParams``, and where the text is wrong.
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

  /// For bytes that are known to be an object.
  package init(unchecked raw: RawJSON) { text = ObjectText(raw) }

  package var raw: RawJSON { text.json }

  /// The text, without whitespace around it.
  public var json: String { text.json.description }

  /// The names of its members, in their order.
  public var names: [String] { text.names }

  /// The member of this name, if it is there and of the type that is wanted. Setting nil takes it
  /// away.
  public subscript<Value: UserInfoValue>(name: String) -> Value? {
    get { text[name].flatMap { Value(jsonText: $0.description) } }
    set { text[name] = newValue.map(RawJSON.init(of:)) }
  }

  /// The text of the member of this name, whatever it is.
  public func json(of name: String) -> String? { text[name]?.description }
}

extension UserInfo: ExpressibleByDictionaryLiteral {
  /// The members in the order in which they are written; of two with the same name the last one
  /// counts.
  public init(dictionaryLiteral elements: (String, any UserInfoValue)...) {
    self.init()
    for (name, value) in elements { text[name] = RawJSON(of: value) }
  }
}

extension UserInfo: UserInfoValue {
  public init?(jsonText: String) {
    do throws(SceneError) {
      try self.init(json: jsonText)
    } catch {
      return nil
    }
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
