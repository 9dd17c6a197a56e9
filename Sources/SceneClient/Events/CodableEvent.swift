import SceneJSON
import Synchronization

/// The kind and the payload of a Codable event.
///
/// An enumeration encodes as `{"added":{"text":…}}`, or as a string if it has raw values: the case
/// is the kind, and its object the payload.
extension UpdateEvent where Self: Codable {
  /// The case of an enumeration; nil for a structure.
  public var kind: String? { try? EncodedEvent(self).kind }

  /// The associated values of an enumeration, or the members of a structure.
  ///
  /// An event that JSON cannot represent, such as one with NaN, is a precondition failure here, and
  /// an error of ``post(from:)``.
  public var payload: UserInfo {
    do throws(SceneError) {
      return try EncodedEvent(self).payload
    } catch {
      EncodingFailure.report(error)
      return [:]
    }
  }

  /// Decodes the event; nil if the kind is no case, or if a member is missing or has another type.
  ///
  /// - Parameters:
  ///   - kind: the case of an enumeration; nil for a structure.
  ///   - payload: the associated values, or the members of a structure.
  public init?(kind: String?, payload: UserInfo) {
    let content = EncodedEvent(kind: kind, payload: payload)
    guard let event = try? content.decode(Self.self) else { return nil }
    self = event
  }
}

private struct EncodedEvent {
  let kind: String?
  let payload: UserInfo
}

extension EncodedEvent {
  init(_ event: some Encodable) throws(SceneError) {
    let isEnumeration = Self.isEnumeration(event)
    guard isEnumeration else {
      self.init(kind: nil, payload: try UserInfo(encoding: event))
      return
    }
    let json = try ValueEncoder.json(of: event)
    let document = JSONDocument()
    try? document.read(json.bytes.span)
    let members = document.root.members.map(\.self)
    if let name = document.root.string {
      self.init(kind: name, payload: [:])
    } else if let member = members.first, members.count == 1, member.value.kind == .object {
      self.init(kind: member.name.string, payload: UserInfo(unchecked: member.value.raw))
    } else {
      throw SceneError(
        .invalidParams,
        "cannot encode \(type(of: event)) as an event: \(json) is not of the form {\"case\":{}}")
    }
  }

  /// - Throws: ``SceneError/Code/invalidParams`` for another kind or other members.
  func decode<Event: Decodable>(_ type: Event.Type) throws(SceneError) -> Event {
    let event = try ValueDecoder.decode(type, from: json(of: type))
    // A structure could find its members in the object of a case.
    guard Self.isEnumeration(event) == (kind != nil) else {
      throw SceneError(.invalidParams, "cannot decode \(type): unknown kind \(kind ?? "nil")")
    }
    return event
  }

  private func json(of type: Any.Type) -> RawJSON {
    guard let kind else { return payload.raw }
    if type is any RawRepresentable<String>.Type { return RawJSON(string: kind) }
    return JSONWriter.object { $0.member(kind, payload.raw) }
  }

  private static func isEnumeration(_ event: Any) -> Bool {
    Mirror(reflecting: event).displayStyle == .enum
  }
}

/// Carries the error of an event's encoding past ``UpdateEvent/payload``, which cannot throw.
final class EncodingFailure: Sendable {
  @TaskLocal private static var current: EncodingFailure?

  private let error = Mutex<SceneError?>(nil)

  /// Throws an error that `body` reported.
  static func thrown<Result>(by body: () -> Result) throws(SceneError) -> Result {
    let failure = EncodingFailure()
    let result = $current.withValue(failure) { body() }
    if let error = failure.error.withLock({ $0 }) { throw error }
    return result
  }

  static func report(_ error: SceneError) {
    guard let current else { preconditionFailure(error.message) }
    current.error.withLock { $0 = error }
  }
}
