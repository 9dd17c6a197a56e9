import SceneClient
import SceneJSON
package import SceneModel

extension SceneDeclarations {
  /// The manifest of these scenes.
  package var manifest: Manifest {
    get throws(SceneError) {
      var manifest = Manifest(roles: [])
      var names: Set<String> = []
      // The first configuration is the default of its role.
      for scene in scenes.filter({ !$0.isSuppressed }) + scenes.filter(\.isSuppressed) {
        let configuration = scene.configuration
        try check(configuration, isNew: names.insert(configuration.name).inserted)
        let known = manifest.roles.firstIndex { $0.role == scene.role }
        if known == nil {
          manifest.roles.append(RoleConfigurations(role: scene.role, configurations: []))
        }
        manifest.roles[known ?? manifest.roles.endIndex - 1].add(scene)
        if let launch = scene.launch { try check(launch, of: configuration.name) }
        guard
          scene.policies.unresponsive.map({ (.milliseconds(1) ... .year).contains($0.after) })
            ?? true
        else {
          throw SceneError(
            .invalidParams,
            "the silence of \(configuration.name) must be from a millisecond to a year")
        }
      }
      guard let first = scenes.first else {
        throw SceneError(.invalidParams, "the app declares no scene; add a WindowGroup to its body")
      }
      for topic in topics {
        try check(topic, isNew: manifest.topics[topic.name] == nil)
        manifest.topics[topic.name] = topic.declaration
      }
      guard delegates.count <= 1 else {
        throw SceneError(.invalidParams, "the app declares two application delegates")
      }
      if let delegate = delegates.first {
        manifest.applicationDelegate = delegate.isRequired ? .required : .optional
      }
      manifest.supportsMultipleScenes = scenes.count > 1 || first.configuration.kind == .group
      return manifest
    }
  }

  private func check(_ launch: LaunchCommand, of name: String) throws(SceneError) {
    guard launch.words.first?.isEmpty == false else {
      throw SceneError(.invalidParams, "the launch of \(name) names no program")
    }
  }

  private func check(
    _ topic: (name: String, declaration: TopicDeclaration), isNew: Bool
  ) throws(SceneError) {
    if let problem = TopicName.problem(with: topic.name) {
      throw SceneError(
        .invalidParams, "a topic's name \(problem): \"\(topic.name.clipped(to: 60))\"")
    }
    guard isNew else {
      throw SceneError(.invalidParams, "the topic \(topic.name) is declared twice")
    }
    guard TopicDeclaration.keepRange.contains(Int64(topic.declaration.keep)) else {
      throw SceneError(
        .invalidParams,
        "the topic \(topic.name) declares keep \(topic.declaration.keep); "
          + "expected 1 to 1000000 events")
    }
  }

  private func check(
    _ configuration: SceneModel.SceneConfiguration, isNew: Bool
  ) throws(SceneError) {
    let name = configuration.name
    guard !name.isEmpty else {
      throw SceneError(.invalidParams, "a scene is declared with an empty id")
    }
    guard isNew else {
      throw SceneError(.invalidParams, "two scenes are declared with the id \(name)")
    }
    for text in [name, configuration.sceneClass, configuration.storyboard].compactMap({ $0 })
    where text.utf8.count > SceneModel.SceneConfiguration.textByteLimit {
      throw SceneError(
        .tooLarge,
        "\(text.clipped(to: 60)) is too long: at most "
          + "\(SceneModel.SceneConfiguration.textByteLimit) bytes are allowed")
    }
  }
}

extension RoleConfigurations {
  fileprivate mutating func add(_ scene: SceneDeclarations.Declaration) {
    let name = scene.configuration.name
    configurations.append(scene.configuration)
    launches[name] = scene.launch
    if scene.policies != ConfigurationPolicies() { policies[name] = scene.policies }
  }
}

extension Manifest {
  /// The manifest for `scened --manifest`, on one line.
  var json: String {
    var writer = JSONWriter()
    write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
