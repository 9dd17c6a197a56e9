package import SceneJSON

/// A value that cannot be read or used, with its place in the object around it.
package struct MemberError: Error, Equatable {
  /// The names of the members from the outermost one, joined by dots; empty for the value itself.
  package private(set) var path: String
  package let problem: String

  package init(path: String = "", problem: String) {
    self.path = path
    self.problem = problem
  }

  /// The error, as seen from the object with this member.
  package func inside(_ member: StaticString) -> MemberError {
    inside(String(describing: member))
  }

  package func inside(_ member: String) -> MemberError {
    var outer = self
    outer.path =
      path.isEmpty ? member : path.hasPrefix("[") ? "\(member)\(path)" : "\(member).\(path)"
    return outer
  }

  /// The value of a member. An error gets the name of the member.
  package static func inside<Value: ~Copyable>(
    _ member: StaticString, _ value: @autoclosure () throws(MemberError) -> Value
  ) throws(MemberError) -> Value {
    do throws(MemberError) {
      return try value()
    } catch {
      throw error.inside(member)
    }
  }

  package static func expected<T: JSONCodable>(_ type: T.Type, found value: JSONValue) -> Self {
    MemberError(problem: "expected \(T.expectation), found \(value.kind.withArticle)")
  }

  /// The error of a type with some valid strings. It quotes the found string.
  package static func expected<T: JSONCodable>(
    oneOf type: T.Type, found value: JSONValue
  ) -> Self {
    guard let string = value.string else { return expected(type, found: value) }
    let text = string.clipped(to: 40)
    return MemberError(problem: "expected \(T.expectation), found \"\(text)\"")
  }
}

extension MemberError: CustomStringConvertible {
  package var description: String { path.isEmpty ? problem : "\(path): \(problem)" }
}

extension JSONDocument {
  /// Reads a text of a user or a client. A syntax error is the error of the value.
  package func parse(_ text: Span<UInt8>) throws(MemberError) {
    do throws(JSONError) {
      try read(text)
    } catch {
      throw MemberError(problem: "\(error)")
    }
  }

  package func parse(_ text: some Collection<UInt8>) throws(MemberError) {
    try parse(ContiguousArray(text).span)
  }
}

extension RawJSON {
  /// Checks a text of a user or a client. A syntax error is the error of the value.
  package init(parsing text: some Collection<UInt8>) throws(MemberError) {
    let document = JSONDocument()
    try document.parse(text)
    self = document.root.raw
  }
}
