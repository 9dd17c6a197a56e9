import SceneJSON
package import SceneModel

/// A URL to open, with options. Corresponds to `UIOpenURLContext`.
///
/// Members that other programs added stay byte for byte.
public struct OpenURLContext: Hashable, Sendable {
  /// The options of a URL. Corresponds to `UIScene.OpenURLOptions`.
  public struct Options: Hashable, Sendable {
    /// Whether the file can be used in place, without a copy. Corresponds to
    /// `UIScene.OpenURLOptions.openInPlace`.
    public var openInPlace = false
    /// The name of the program that opens the URL; nil if unknown. It is part of the 256 KiB of the
    /// opened content. Corresponds to `UIScene.OpenURLOptions.sourceApplication`.
    public var sourceApplication: String?
    /// Any JSON value of the program that opens the URL, as text; nil for none. It is part of the
    /// 256 KiB of the opened content. Corresponds to `UIScene.OpenURLOptions.annotation`.
    public var annotation: String?

    /// Makes the default options: the file must be copied, and there is no source application.
    public init() {}
  }

  private var text: ObjectText

  /// Makes a URL context.
  ///
  /// - Parameters:
  ///   - url: the URL, which begins with a scheme, such as `note:packing`; part of the 256 KiB of
  ///     the opened content.
  ///   - options: the options, also part of the 256 KiB; by default, the file must be copied.
  /// - Throws: ``SceneError/Code/invalidParams`` if the URL does not begin with a scheme, or if
  ///   the annotation is not JSON.
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

  /// The wire form.
  package var message: SceneModel.OpenURLContext { .init(unchecked: text.json) }

  /// The URL to open. The module SceneFoundation has it as a `URL`. Corresponds to
  /// `UIOpenURLContext.url`.
  @_disfavoredOverload
  public var url: String { urlText }

  /// The same, for SceneFoundation, whose own property hides the other.
  package var urlText: String { message.url }

  /// The options of the URL. Corresponds to `UIOpenURLContext.options`.
  public var options: Options {
    let known = message.options
    var options = Options()
    options.openInPlace = known.openInPlace
    options.sourceApplication = known.sourceApplication
    options.annotation = known.annotation?.description
    return options
  }
}

/// The user's response to a notification. Corresponds to `UNNotificationResponse`.
///
/// Members that other programs added stay byte for byte.
public struct NotificationResponse: Hashable, Sendable {
  private var text: ObjectText

  /// Makes a response.
  ///
  /// - Parameters:
  ///   - actionIdentifier: the chosen action, part of the 256 KiB of the opened content; nil for
  ///     the notification itself.
  ///   - userInfo: the content of the notification; part of the 256 KiB of the opened content.
  ///   - targetContentIdentifier: the identifier of the content, to find the scene that shows it;
  ///     at most 1 KiB.
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

  /// The wire form.
  package var message: SceneModel.NotificationResponse { .init(unchecked: text.json) }

  /// The chosen action; nil for the notification itself. Corresponds to
  /// `UNNotificationResponse.actionIdentifier`.
  public var actionIdentifier: String? { text.string("actionIdentifier") }
  /// The content of the notification; nil if it is empty. Corresponds to
  /// `UNNotificationContent.userInfo`.
  public var userInfo: UserInfo? { text.userInfo }
  /// The identifier of the content; nil if there is none. Corresponds to
  /// `UNNotificationContent.targetContentIdentifier`.
  public var targetContentIdentifier: String? { text.string("targetContentIdentifier") }
}

/// A shortcut that the user chose. Corresponds to `UIApplicationShortcutItem`.
///
/// Members that other programs added stay byte for byte.
public struct ApplicationShortcutItem: Hashable, Sendable {
  private var text: ObjectText

  /// Makes a shortcut. Corresponds to
  /// `UIApplicationShortcutItem.init(type:localizedTitle:localizedSubtitle:icon:userInfo:)`.
  ///
  /// - Parameters:
  ///   - type: the type, defined by the application; part of the 256 KiB of the opened content. An
  ///     empty type cannot be opened.
  ///   - localizedTitle: the title in a menu, also part of the 256 KiB; nil for none.
  ///   - userInfo: the application's own data; part of the 256 KiB of the opened content.
  ///   - targetContentIdentifier: the identifier of the content, to find the scene that shows it;
  ///     at most 1 KiB.
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

  /// The wire form.
  package var message: ShortcutItem { ShortcutItem(unchecked: text.json) }

  /// The type, defined by the application. Corresponds to `UIApplicationShortcutItem.type`.
  public var type: String { text.string("type") ?? "" }
  /// The title in a menu; nil if there is none. Corresponds to
  /// `UIApplicationShortcutItem.localizedTitle`.
  public var localizedTitle: String? { text.string("localizedTitle") }
  /// The application's own data; nil if it is empty. Corresponds to
  /// `UIApplicationShortcutItem.userInfo`.
  public var userInfo: UserInfo? { text.userInfo }
  /// The identifier of the content; nil if there is none. Corresponds to
  /// `UIApplicationShortcutItem.targetContentIdentifier`.
  public var targetContentIdentifier: String? { text.string("targetContentIdentifier") }
}
