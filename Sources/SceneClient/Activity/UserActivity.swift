import JSON
package import SceneModel

/// What the user was doing in a scene: enough to bring the scene back to it.
///
/// It is a JSON object with at least `activityType` and `userInfo`; what else others have put in is
/// kept byte for byte. The broker keeps at most 256 KiB, unless it was started with another limit,
/// and at most 48 levels of nesting.
public struct UserActivity: Hashable, Sendable {
  private var text: ObjectText

  /// Makes one.
  ///
  /// - Parameters:
  ///   - activityType: what kind of activity it is, such as `com.example.note`. One that is empty
  ///     cannot be kept.
  ///   - title: what it is called where people choose between activities.
  ///   - userInfo: what the program wants to find again.
  ///   - targetContentIdentifier: what it is about.
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

  /// Takes the text of an activity as it is: an object with at least `activityType` and `userInfo`.
  ///
  /// - Throws: ``SceneError/Code/invalidParams``, and where the text is wrong.
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

  /// As it goes over the wire, checked as the broker would.
  package var checked: Activity {
    get throws(SceneError) { Activity(unchecked: try UserActivity(json: json).text.json) }
  }

  /// The text, without whitespace around it.
  public var json: String { text.json.description }

  /// What kind of activity it is; never empty in one that was kept.
  public var activityType: String {
    get { text.string("activityType") ?? "" }
    set { text["activityType"] = RawJSON(string: newValue) }
  }

  /// What it is called where people choose between activities.
  public var title: String? {
    get { text.string("title") }
    set { text["title"] = newValue.map(RawJSON.init(string:)) }
  }

  /// What the program wants to find again.
  public var userInfo: UserInfo {
    get { text["userInfo"].map(UserInfo.init(unchecked:)) ?? [:] }
    set { text["userInfo"] = newValue.raw }
  }

  /// What it is about, for finding the scene that shows the same.
  public var targetContentIdentifier: String? {
    get { text.string("targetContentIdentifier") }
    set { text["targetContentIdentifier"] = newValue.map(RawJSON.init(string:)) }
  }
}

extension UserActivity: CustomStringConvertible {
  public var description: String { json }
}
