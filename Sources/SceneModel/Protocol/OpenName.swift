package import SceneJSON

/// A set of names that can grow. A peer keeps unknown names.
package protocol OpenName: RawRepresentable, Hashable, Sendable, JSONCodable,
  CustomStringConvertible
where RawValue == String {
  init(rawValue: String)
}

extension OpenName {
  package static var expectation: String { "a string" }
  public var description: String { rawValue }

  package init(reading value: JSONValue) throws(MemberError) {
    self.init(rawValue: try String(reading: value))
  }
}

/// The role of the scenes of a session. Corresponds to `UISceneSession.Role`.
///
/// A newer broker may have other roles.
public struct Role: OpenName {
  /// The name of the role in the manifest and in the protocol. Corresponds to
  /// `UISceneSession.Role.rawValue`.
  public let rawValue: String

  /// Makes a role from its name, also an unknown one. Corresponds to
  /// `UISceneSession.Role.init(rawValue:)`.
  ///
  /// - Parameter rawValue: the name in the manifest, or in a property list.
  public init(rawValue: String) { self.rawValue = Self.otherNames[rawValue] ?? rawValue }

  /// The names in property lists, and UIKit's newer name of a role.
  private static let otherNames = [
    "UIWindowSceneSessionRoleApplication": "windowApplication",
    "UIWindowSceneSessionRoleExternalDisplay": "windowExternalDisplay",
    "UIWindowSceneSessionRoleExternalDisplayNonInteractive": "windowExternalDisplay",
    "windowExternalDisplayNonInteractive": "windowExternalDisplay",
    "UIWindowSceneSessionRoleVolumetricApplication": "windowApplicationVolumetric",
    "UISceneSessionRoleImmersiveSpaceApplication": "immersiveSpaceApplication",
    "CPTemplateApplicationSceneSessionRoleApplication": "carTemplateApplication",
  ]

  /// Whether a name begins like those in property lists, and no role has it.
  package static func isUnknownUIKitName(_ name: String) -> Bool {
    (name.hasPrefix("UIWindowSceneSessionRole") || name.hasPrefix("UISceneSessionRole"))
      && otherNames[name] == nil
  }

  /// A window of the application. Corresponds to `UISceneSession.Role.windowApplication`.
  public static let windowApplication = Role(rawValue: "windowApplication")
  /// A display without input: its scenes become at most inactive. Corresponds to
  /// `UISceneSession.Role.windowExternalDisplayNonInteractive`.
  public static let windowExternalDisplay = Role(rawValue: "windowExternalDisplay")
  /// A window with depth. Corresponds to `UISceneSession.Role.windowApplicationVolumetric`.
  public static let windowApplicationVolumetric = Role(rawValue: "windowApplicationVolumetric")
  /// A space around the user. Corresponds to `UISceneSession.Role.immersiveSpaceApplication`.
  public static let immersiveSpaceApplication = Role(rawValue: "immersiveSpaceApplication")
  /// A display in a car. Corresponds to `UISceneSession.Role.carTemplateApplication`.
  public static let carTemplateApplication = Role(rawValue: "carTemplateApplication")

  /// Most sessions have the same role, so this value needs no memory of its own.
  package init(reading value: JSONValue) throws(MemberError) {
    if value.equals("windowApplication") {
      self = .windowApplication
    } else {
      self.init(rawValue: try String(reading: value))
    }
  }

  /// The highest state of scenes with this role. An external display takes no input, so it never
  /// becomes active.
  package var ceiling: ActivationState {
    self == .windowExternalDisplay ? .foregroundInactive : .foregroundActive
  }
}

/// The effect of the end of a scene's terminal on its window and its program.
package struct HangupAction: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The window opens again with the others.
  package static let reopen = HangupAction(rawValue: "reopen")
  /// The window stays closed if its multiplexer or its graphical session lives on.
  package static let close = HangupAction(rawValue: "close")
  /// The program runs on without a window.
  package static let keep = HangupAction(rawValue: "keep")
  package static let all = [reopen, close, keep]
  package static var names: [String] { all.map(\.rawValue) }
}

/// Why a scene ended, if its reason does not tell.
package struct DisconnectCause: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The terminal of the client was closed.
  package static let hangup = DisconnectCause(rawValue: "hangup")
  /// Another process ended the client with TERM.
  package static let terminated = DisconnectCause(rawValue: "terminated")
  /// The machine stopped while the client held the session.
  package static let machineStopped = DisconnectCause(rawValue: "machineStopped")
  /// The user closed the terminal of the client: its multiplexer or its graphical session lived on.
  package static let windowClosed = DisconnectCause(rawValue: "windowClosed")
  /// The session moves to another host.
  package static let handedOff = DisconnectCause(rawValue: "handedOff")

  /// Whether a client can state the cause of a scene that it ends.
  package var isOfClient: Bool { self == .hangup || self == .terminated }
}

/// The user's decision about the work in a window that closes. Corresponds to
/// `UIWindowScene.DismissalAnimation`.
///
/// A newer client may name other animations.
public struct DismissalAnimation: OpenName {
  /// The name of the animation in the protocol.
  public let rawValue: String

  /// Makes an animation from its name, also an unknown one.
  ///
  /// - Parameter rawValue: the name in the protocol.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The window closes without a decision about the work. Corresponds to
  /// `UIWindowScene.DismissalAnimation.standard`.
  public static let standard = DismissalAnimation(rawValue: "standard")
  /// The user has committed the work, such as a message that was sent. Corresponds to
  /// `UIWindowScene.DismissalAnimation.commit`.
  public static let commit = DismissalAnimation(rawValue: "commit")
  /// The user has declined the work, such as a draft that is thrown away. Corresponds to
  /// `UIWindowScene.DismissalAnimation.decline`.
  public static let decline = DismissalAnimation(rawValue: "decline")
}

/// The reason of a connect.
package struct ConnectReason: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// No client has held the session before.
  package static let launch = ConnectReason(rawValue: "launch")
  /// The last scene disconnected in order.
  package static let restore = ConnectReason(rawValue: "restore")
  /// The last scene was lost, or the broker disconnected it.
  package static let recover = ConnectReason(rawValue: "recover")
  /// The same client resumes.
  package static let resume = ConnectReason(rawValue: "resume")
  /// An activation.
  package static let activation = ConnectReason(rawValue: "activation")
  /// A URL to open.
  package static let url = ConnectReason(rawValue: "url")
  /// An activity to continue, from this device or another.
  package static let continuation = ConnectReason(rawValue: "continuation")
  /// A response to a notification.
  package static let notification = ConnectReason(rawValue: "notification")
  /// A chosen shortcut.
  package static let shortcut = ConnectReason(rawValue: "shortcut")
  /// A refresh.
  package static let refresh = ConnectReason(rawValue: "refresh")
}

/// The reason of a disconnect.
package struct DisconnectReason: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let clientRequest = DisconnectReason(rawValue: "clientRequest")
  package static let connectionLost = DisconnectReason(rawValue: "connectionLost")
  package static let reclaimed = DisconnectReason(rawValue: "reclaimed")
  package static let discarded = DisconnectReason(rawValue: "discarded")
  package static let replaced = DisconnectReason(rawValue: "replaced")
  package static let refused = DisconnectReason(rawValue: "refused")
  package static let watchdog = DisconnectReason(rawValue: "watchdog")
  package static let slowReader = DisconnectReason(rawValue: "slowReader")
  package static let diskBehind = DisconnectReason(rawValue: "diskBehind")
  package static let violation = DisconnectReason(rawValue: "violation")
  package static let shutdown = DisconnectReason(rawValue: "shutdown")

  /// Whether the client itself disconnected or refused the scene.
  package var isByClient: Bool { self == .clientRequest || self == .refused }

  /// The reason of the next connect: whether the last scene disconnected in order.
  package var nextConnectReason: ConnectReason {
    let abrupt: [DisconnectReason] = [
      .replaced, .slowReader, .diskBehind, .violation, .watchdog, .connectionLost,
    ]
    return abrupt.contains(self) ? .recover : .restore
  }
}
