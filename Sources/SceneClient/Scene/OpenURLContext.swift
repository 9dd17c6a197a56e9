import JSON
package import SceneModel

/// A URL that is to be opened, and how.
///
/// What others have put into it is kept byte for byte.
public struct OpenURLContext: Hashable, Sendable {
  /// How a URL is to be opened, and who wants it.
  public struct Options: Hashable, Sendable {
    /// Whether the file may be used where it is, and need not be copied.
    public var openInPlace = false
    /// The program that wants it opened.
    public var sourceApplication: String?
    /// Any JSON value that the one who opens it wants to hand over, as its text.
    public var annotation: String?

    /// As the system would: to be copied, and from nobody in particular.
    public init() {}
  }

  private var text: ObjectText

  /// Makes one.
  ///
  /// - Throws: ``SceneError/Code/invalidParams`` if the URL does not begin with a scheme, or if the
  ///   annotation is not JSON.
  public init(url: String, options: Options = Options()) throws(SceneError) {
    do throws(MemberError) {
      try SceneModel.OpenURLContext.check(url: url)
    } catch {
      throw SceneError(.invalidParams, "\(error.inside("url"))")
    }
    text = .empty
    text["url"] = RawJSON(string: url)
    var members = ObjectText.empty
    if options.openInPlace { members["openInPlace"] = RawJSON(unchecked: Self.yes) }
    members["sourceApplication"] = options.sourceApplication.map(RawJSON.init(string:))
    if let annotation = options.annotation {
      do throws(JSONError) {
        members["annotation"] = try RawJSON(validating: annotation.utf8)
      } catch {
        throw SceneError(.invalidParams, "annotation: \(error)")
      }
    }
    text["options"] = members.json
  }

  private static let yes = ContiguousArray("true".utf8)

  package init(_ context: SceneModel.OpenURLContext) { text = ObjectText(context.json) }

  /// As it goes over the wire.
  package var message: SceneModel.OpenURLContext { .init(unchecked: text.json) }

  /// The URL, as it was given.
  public var url: String { message.url }

  /// How it is to be opened.
  public var options: Options {
    let known = message.options
    var options = Options()
    options.openInPlace = known.openInPlace
    options.sourceApplication = known.sourceApplication
    options.annotation = known.annotation?.description
    return options
  }

  /// The text, as it goes over the wire.
  public var json: String { text.json.description }
}

/// What a person did with a notification.
///
/// What others have put into it is kept byte for byte.
public struct NotificationResponse: Hashable, Sendable {
  private var text: ObjectText

  /// Makes one.
  ///
  /// - Parameters:
  ///   - actionIdentifier: what was chosen; nil for the notification itself.
  ///   - userInfo: what came with the notification.
  ///   - targetContentIdentifier: what it is about, for finding the scene that shows the same.
  public init(
    actionIdentifier: String? = nil, userInfo: UserInfo = [:],
    targetContentIdentifier: String? = nil
  ) {
    text = .empty
    text["actionIdentifier"] = actionIdentifier.map(RawJSON.init(string:))
    text["userInfo"] = userInfo.raw
    text["targetContentIdentifier"] = targetContentIdentifier.map(RawJSON.init(string:))
  }

  package init(_ response: SceneModel.NotificationResponse) { text = ObjectText(response.json) }

  /// As it goes over the wire.
  package var message: SceneModel.NotificationResponse { .init(unchecked: text.json) }

  /// What was chosen; nil for the notification itself.
  public var actionIdentifier: String? { text.string("actionIdentifier") }
  /// What came with the notification.
  public var userInfo: UserInfo { text["userInfo"].map(UserInfo.init(unchecked:)) ?? [:] }
  /// What it is about.
  public var targetContentIdentifier: String? { text.string("targetContentIdentifier") }
  /// The text, as it goes over the wire.
  public var json: String { text.json.description }
}

/// Something particular that a person wants, chosen before there is a scene.
///
/// What others have put into it is kept byte for byte.
public struct ApplicationShortcutItem: Hashable, Sendable {
  private var text: ObjectText

  /// Makes one.
  ///
  /// - Parameters:
  ///   - type: what it is, in the application's own words. One that is empty cannot be opened.
  ///   - localizedTitle: what it is called where people choose.
  ///   - userInfo: what the application wants to find again.
  ///   - targetContentIdentifier: what it is about, for finding the scene that shows the same.
  public init(
    type: String, localizedTitle: String? = nil, userInfo: UserInfo = [:],
    targetContentIdentifier: String? = nil
  ) {
    text = .empty
    text["type"] = RawJSON(string: type)
    text["localizedTitle"] = localizedTitle.map(RawJSON.init(string:))
    text["userInfo"] = userInfo.raw
    text["targetContentIdentifier"] = targetContentIdentifier.map(RawJSON.init(string:))
  }

  package init(_ item: ShortcutItem) { text = ObjectText(item.json) }

  /// As it goes over the wire.
  package var message: ShortcutItem { ShortcutItem(unchecked: text.json) }

  /// What it is, in the application's own words.
  public var type: String { text.string("type") ?? "" }
  /// What it is called where people choose.
  public var localizedTitle: String? { text.string("localizedTitle") }
  /// What the application wants to find again.
  public var userInfo: UserInfo { text["userInfo"].map(UserInfo.init(unchecked:)) ?? [:] }
  /// What it is about.
  public var targetContentIdentifier: String? { text.string("targetContentIdentifier") }
  /// The text, as it goes over the wire.
  public var json: String { text.json.description }
}
