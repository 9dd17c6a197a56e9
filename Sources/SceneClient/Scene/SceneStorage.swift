import SceneJSON
import Synchronization

/// A value of a scene's delegate that the session keeps. Corresponds to `SwiftUI.SceneStorage`.
///
/// ```swift
/// final class NoteDelegate: SceneDelegate {
///   @SceneStorage("line") private var line = 0
/// }
/// ```
///
/// All values of a scene are in the member `sceneStorage` of the session's `userInfo`. A property
/// has its stored value from `scene(_:willConnectTo:options:)` on. Before, and without a stored
/// value, it has its default. An assignment saves the value when the delegate has returned from its
/// method, together with all other assignments. An assignment outside of a method is saved at once.
/// Assign only members of the `userInfo` with other names yourself.
/// If the broker refuses a save, the library logs the reason, and the properties have their last
/// stored values again.
@propertyWrapper
public struct SceneStorage<Value> {
  private let key: String
  private let initial: Value
  private let read: (String) -> Value?
  /// Nil removes the value.
  private let write: (Value) -> RawJSON?
  fileprivate let place = SceneStoragePlace()

  private init(
    _ key: String, _ initial: Value, read: @escaping (String) -> Value?,
    write: @escaping (Value) -> RawJSON?
  ) {
    (self.key, self.initial, self.read, self.write) = (key, initial, read, write)
  }

  /// The stored value, or the default without one. Corresponds to
  /// `SwiftUI.SceneStorage.wrappedValue`.
  public var wrappedValue: Value {
    get { place.storage?[key].flatMap(read) ?? initial }
    nonmutating set { place.storage?.set(key, to: write(newValue)) }
  }

  /// Keeps a value, such as a `Bool`, an `Int`, a `Double` or a `String`. The module
  /// SceneFoundation adds `URL` and `Data`. Corresponds to
  /// `SwiftUI.SceneStorage.init(wrappedValue:_:)`.
  ///
  /// - Parameters:
  ///   - wrappedValue: the value of a session without a stored one.
  ///   - key: the name of the value, unique in the delegate.
  public init(wrappedValue: Value, _ key: String) where Value: UserInfoValue {
    self.init(key, wrappedValue, read: { Value(jsonText: $0) }, write: { RawJSON(of: $0) })
  }

  /// Keeps a value by its raw value. Corresponds to `SwiftUI.SceneStorage.init(wrappedValue:_:)`.
  ///
  /// - Parameters:
  ///   - wrappedValue: the value of a session without a stored one.
  ///   - key: the name of the value, unique in the delegate.
  @_disfavoredOverload
  public init(wrappedValue: Value, _ key: String)
  where Value: RawRepresentable, Value.RawValue: UserInfoValue {
    self.init(
      key, wrappedValue, read: { Value.RawValue(jsonText: $0).flatMap(Value.init) },
      write: { RawJSON(of: $0.rawValue) })
  }

  /// Keeps an optional value, which is nil in a session without a stored one. Corresponds to
  /// `SwiftUI.SceneStorage.init(_:)`.
  ///
  /// - Parameter key: the name of the value, unique in the delegate.
  public init<Wrapped: UserInfoValue>(_ key: String) where Value == Wrapped? {
    self.init(key, nil, read: { Wrapped(jsonText: $0) }, write: { $0.map(RawJSON.init(of:)) })
  }

  /// Keeps an optional value by its raw value. Corresponds to `SwiftUI.SceneStorage.init(_:)`.
  ///
  /// - Parameter key: the name of the value, unique in the delegate.
  @_disfavoredOverload
  public init<Wrapped: RawRepresentable>(_ key: String)
  where Value == Wrapped?, Wrapped.RawValue: UserInfoValue {
    self.init(
      key, nil, read: { Wrapped.RawValue(jsonText: $0).flatMap(Wrapped.init) },
      write: { $0.map { RawJSON(of: $0.rawValue) } })
  }
}

/// The scene of a property, which the library sets when it has made the delegate.
private final class SceneStoragePlace {
  var storage: StoredValues?
}

private protocol SceneStorageProperty {
  func bind(to storage: StoredValues)
}

extension SceneStorage: SceneStorageProperty {
  fileprivate func bind(to storage: StoredValues) { place.storage = storage }
}

/// The values of one scene.
final class StoredValues: Sendable {
  /// The member of the session's userInfo.
  static let member = "sceneStorage"

  private struct Content {
    /// The assignments that the session does not have yet; nil removes a value.
    var changes: [(key: String, value: RawJSON?)] = []
    /// The running calls of the delegate, whose assignments are saved together.
    var calls = 0
  }

  private let session: SceneSession
  private let content = Mutex(Content())

  init(of session: SceneSession) { self.session = session }

  /// Binds the properties of a delegate. Returns nil if it has none.
  static func bind(_ delegate: any SceneDelegate, to session: SceneSession) -> StoredValues? {
    var values: StoredValues?
    var mirror: Mirror? = Mirror(reflecting: delegate)
    while let current = mirror {
      for case let property as any SceneStorageProperty in current.children.map(\.value) {
        let bound = values ?? StoredValues(of: session)
        property.bind(to: bound)
        values = bound
      }
      mirror = current.superclassMirror
    }
    return values
  }

  subscript(key: String) -> String? { value(key)?.description }

  private func value(_ key: String) -> RawJSON? {
    let change = content.withLock { $0.changes.last { $0.key == key } }
    if let change { return change.value }
    return session.userInfo?.object(named: Self.member)?[json: key]
  }

  func set(_ key: String, to value: RawJSON?) {
    guard self.value(key) != value else { return }
    let saves = content.withLock { content in
      content.changes.removeAll { $0.key == key }
      content.changes.append((key, value))
      return content.calls == 0
    }
    if saves { save() }
  }

  func beginCall() { content.withLock { $0.calls += 1 } }

  func endCall() {
    content.withLock { $0.calls -= 1 }
    save()
  }

  /// Passes the assignments to the session, which has its last stored values again if the broker
  /// refuses them.
  private func save() {
    guard content.withLock({ !$0.changes.isEmpty }) else { return }
    session.changeUserInfo { userInfo in
      var values = userInfo.object(named: Self.member) ?? [:]
      let changes = content.withLock { content in
        defer { content.changes = [] }
        return content.changes
      }
      for change in changes { values[json: change.key] = change.value }
      userInfo[json: Self.member] = values.isEmpty ? nil : values.raw
    }
  }
}
