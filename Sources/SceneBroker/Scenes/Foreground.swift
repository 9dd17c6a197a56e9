import SceneModel

/// The foreground limit of the manifest.
extension Broker {
  /// The scene has a target in the foreground. The least recently activated scenes beyond the limit
  /// go to the background. The scene does not wait for them, so that a hung client keeps no other
  /// scene out.
  mutating func enterForeground(_ identifier: SessionIdentifier) {
    guard let target = scenes.target(of: identifier), target >= .foregroundInactive else { return }
    // An interruption is no activation.
    if target == .foregroundActive { scenes.stampForeground(identifier) }
    enforceForegroundPolicy()
  }

  mutating func enforceForegroundPolicy() {
    let limit: Int
    switch manifest.policies.foreground {
    case .split: return
    case .atMost(let count): limit = count
    }
    // A role that only displays content does not count.
    let front = scenes.foreground.filter {
      store.listed($0.session)?.attributes.role.ceiling == .foregroundActive
    }
    for identifier in ForegroundLimiter.excess(of: front, limit: limit) {
      setTarget(of: identifier, to: .background, by: nil, reason: Self.foregroundPolicyReason)
      advanceLifecycle(of: identifier)
    }
  }

  private static let foregroundPolicyReason = "foregroundPolicy"
}
