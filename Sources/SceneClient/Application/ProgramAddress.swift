import ScenePlatform

/// The name of a program, where it finds its broker, and where it reports.
package struct ProgramAddress: Sendable {
  package var name: String
  /// The path of the broker's socket; nil for that of the application.
  package var socket: String?
  /// The name of the application; nil for `default`.
  package var application: String?
  /// Receives what no method throws.
  package var log: @Sendable (SceneLogRecord) -> Void

  package init(
    name: String, socket: String? = nil, application: String? = nil,
    log: (@Sendable (SceneLogRecord) -> Void)?
  ) {
    self.name = name
    self.socket = socket
    self.application = application
    self.log = log ?? SceneLogRecord.standardError(of: name)
  }

  /// The settings of a client with these delegate classes.
  func settings(
    _ delegates: [String: SceneApplication.DelegateMaker], waitsForBroker: Bool
  ) throws(SceneError) -> ClientSettings {
    let address = try BrokerAddress(socket: socket, application: application)
    var settings = address.settings(name: name, hosts: delegates.keys.sorted())
    settings.waitsForBroker = waitsForBroker
    settings.launch = { [path = address.path] in
      LaunchToken.ofProcess.claim(for: delegates, at: path)
    }
    settings.log = log
    return settings
  }

  /// The name of a program that chooses none: that of its file.
  package static var defaultName: String { CurrentProcess.name ?? "scene" }
}
