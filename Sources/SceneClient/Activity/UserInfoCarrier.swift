/// A type with a ``UserInfo``: ``SceneSession`` and ``UserActivity``.
///
/// The extensions of the protocol accept a dictionary where UIKit does:
/// `session.userInfo = dictionary`.
public protocol UserInfoCarrier {
  /// The program's own state; nil if it is empty.
  var userInfo: UserInfo? { get set }
}

extension UserInfoCarrier where Self == UserActivity {
  /// Sets the state from a dictionary. Corresponds to `NSUserActivity.userInfo`.
  @_disfavoredOverload
  public var userInfo: [String: any UserInfoValue]? {
    @available(*, unavailable)
    get { fatalError("unavailable") }
    set { self.userInfo = newValue.map(UserInfo.init(_:)) }
  }
}
