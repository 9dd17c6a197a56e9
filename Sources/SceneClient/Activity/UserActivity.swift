import SceneJSON
package import SceneModel

/// The user's activity in a scene, with which the scene can be restored.
///
/// An activity is a JSON object with at least `activityType` and `userInfo`; other members stay
/// byte for byte. The broker stores at most 256 KiB by default, and at most 48 levels of nesting.
public struct UserActivity: Hashable, Sendable {
  private var text: ObjectText

  /// Makes an activity.
  ///
  /// - Parameters:
  ///   - activityType: the kind of the activity, such as `com.example.note`. An empty type cannot
  ///     be saved.
  ///   - title: the title in a list of activities.
  ///   - userInfo: the state to restore.
  ///   - targetContentIdentifier: the identifier of the content.
  public init(
    activityType: String, title: String? = nil, userInfo: UserInfo = [:],
    targetContentIdentifier: String? = nil
  ) {
    text = .empty
    text["activityType"] = RawJSON(string: activityType)
    text["title"] = title.map(RawJSON.init(string:))
    text["userInfo"] = userInfo.raw
    text["targetContentIdentifier"] = targetContentIdentifier.map(RawJSON.init(string:))
  }

  /// Uses the text of an activity unchanged: an object with at least `activityType` and `userInfo`.
  ///
  /// - Throws: ``SceneError/Code/invalidParams`` with the place of the error.
  public init(json: String) throws(SceneError) {
    let document = JSONDocument()
    do throws(JSONError) {
      try document.read(json.utf8)
    } catch {
      throw SceneError(.invalidParams, "activity: \(error)")
    }
    do throws(MemberError) {
      text = ObjectText(try Activity(reading: document.root).json)
    } catch {
      throw SceneError(.invalidParams, "\(error.inside("activity"))")
    }
  }

  package init(_ activity: Activity) { text = ObjectText(activity.json) }

  /// The activity in wire form, checked as the broker checks it.
  package var checked: Activity {
    get throws(SceneError) { Activity(unchecked: try UserActivity(json: json).text.json) }
  }

  /// The text, without surrounding whitespace.
  public var json: String { text.json.description }

  /// The kind of the activity; never empty in a saved activity.
  public var activityType: String {
    get { text.string("activityType") ?? "" }
    set { text["activityType"] = RawJSON(string: newValue) }
  }

  /// The title in a list of activities.
  public var title: String? {
    get { text.string("title") }
    set { text["title"] = newValue.map(RawJSON.init(string:)) }
  }

  /// The state to restore.
  public var userInfo: UserInfo {
    get { text["userInfo"].map(UserInfo.init(unchecked:)) ?? [:] }
    set { text["userInfo"] = newValue.raw }
  }

  /// The identifier of the content, to find the scene that shows it.
  public var targetContentIdentifier: String? {
    get { text.string("targetContentIdentifier") }
    set { text["targetContentIdentifier"] = newValue.map(RawJSON.init(string:)) }
  }
}

extension UserActivity: CustomStringConvertible {
  public var description: String { json }
}
