import SceneJSON
package import SceneModel

/// The user's activity in a scene, with which the scene can be restored. Corresponds to
/// `NSUserActivity`.
///
/// An activity is a JSON object with at least `activityType` and `userInfo`; other members stay
/// byte for byte. The broker stores at most 256 KiB by default, and at most 48 levels of nesting.
public struct UserActivity: Hashable, Sendable {
  private var text: ObjectText

  /// Makes an activity. Corresponds to `NSUserActivity.init(activityType:)`.
  ///
  /// - Parameters:
  ///   - activityType: the kind of the activity, such as `com.example.note`. An empty type cannot
  ///     be saved. All members together have at most 256 KiB by default.
  ///   - title: the title in a list of activities, part of the 256 KiB; nil for none.
  ///   - userInfo: the state to restore, part of the 256 KiB; nil for none.
  ///   - targetContentIdentifier: the identifier of the content, at most 1 KiB by default where the
  ///     broker selects a session by it; nil for none.
  public init(
    activityType: String, title: String? = nil, userInfo: UserInfo? = nil,
    targetContentIdentifier: String? = nil
  ) {
    text = .empty
    text["activityType"] = RawJSON(string: activityType)
    text["title"] = title.map(RawJSON.init(string:))
    text["userInfo"] = (userInfo ?? [:]).raw
    text["targetContentIdentifier"] = targetContentIdentifier.map(RawJSON.init(string:))
  }

  /// Makes an activity from its text, unchanged: an object with at least `activityType` and
  /// `userInfo`.
  package init(json: String) throws(SceneError) {
    let document = JSONDocument()
    do throws(MemberError) {
      try document.parse(json.utf8)
      text = ObjectText(try Activity(reading: document.root).json)
    } catch {
      throw SceneError(.invalidParams, "\(error.inside("activity"))")
    }
  }

  package init(_ activity: Activity) { text = ObjectText(activity.json) }

  /// The activity in wire form, checked as the broker checks it.
  package var checked: Activity {
    get throws(SceneError) {
      let schemes = ["http:", "https:"]
      if let page = webpageText, !schemes.contains(where: page.lowercased().hasPrefix) {
        throw SceneError(
          .invalidParams,
          "invalid webpageURL \"\(page.clipped(to: 100))\": a web page has http or https; put "
            + "another URL into userInfo")
      }
      return Activity(unchecked: try UserActivity(json: json).text.json)
    }
  }

  package var json: String { text.json.description }

  /// The kind of the activity; never empty in a saved activity. Corresponds to
  /// `NSUserActivity.activityType`.
  public var activityType: String {
    get { text.string("activityType") ?? "" }
    set { text["activityType"] = RawJSON(string: newValue) }
  }

  /// The title in a list of activities. Corresponds to `NSUserActivity.title`.
  public var title: String? {
    get { text.string("title") }
    set { text["title"] = newValue.map(RawJSON.init(string:)) }
  }

  /// The state to restore; nil if it is empty. Corresponds to `NSUserActivity.userInfo`.
  public var userInfo: UserInfo? {
    get { text.userInfo }
    set { text["userInfo"] = (newValue ?? [:]).raw }
  }

  /// Adds members to the state to restore. A member of the same name is replaced, and the others
  /// keep their bytes. Corresponds to `NSUserActivity.addUserInfoEntries(from:)`.
  ///
  /// - Parameter otherDictionary: the members to add, part of the 256 KiB of the activity by
  ///   default.
  public mutating func addUserInfoEntries(from otherDictionary: [String: any UserInfoValue]) {
    var info = userInfo ?? [:]
    info.add(otherDictionary)
    userInfo = info
  }

  /// The identifier of the content, to find the scene that shows it. Corresponds to
  /// `NSUserActivity.targetContentIdentifier`.
  public var targetContentIdentifier: String? {
    get { text.string("targetContentIdentifier") }
    set { text["targetContentIdentifier"] = newValue.map(RawJSON.init(string:)) }
  }

  /// The type of an activity that continues a web page, such as a universal link. Corresponds to
  /// `NSUserActivityTypeBrowsingWeb`.
  public static let browsingWeb = Activity.browsingWeb

  /// The page that shows the content of the activity, with `http` or `https`. An activity with
  /// another URL is invalid, and is not saved. The module SceneFoundation has the page as a `URL`.
  /// Corresponds to `NSUserActivity.webpageURL`.
  @_disfavoredOverload
  public var webpageURL: String? {
    get { webpageText }
    set { webpageText = newValue }
  }

  /// The same, for SceneFoundation, whose own property hides the other.
  package var webpageText: String? {
    get { Activity(unchecked: text.json).webpageURL }
    set { text["webpageURL"] = newValue.map(RawJSON.init(string:)) }
  }

  /// Does nothing, because an assignment to ``Scene/userActivity`` makes an activity current.
  /// Corresponds to `NSUserActivity.becomeCurrent()`.
  public func becomeCurrent() {}

  /// Does nothing: the scene keeps its activity, with which it is restored. Corresponds to
  /// `NSUserActivity.resignCurrent()`.
  public func resignCurrent() {}

  /// Whether another host can continue the activity; default true. Corresponds to
  /// `NSUserActivity.isEligibleForHandoff`.
  public var isEligibleForHandoff: Bool {
    get { Activity(unchecked: text.json).isEligibleForHandoff }
    set {
      text["isEligibleForHandoff"] =
        newValue ? nil : RawJSON(unchecked: ContiguousArray("false".utf8))
    }
  }
}

extension UserActivity: CustomStringConvertible {
  public var description: String { json }
}
