import SceneClient
import SceneJSON
package import SceneModel

extension SceneDeclarations {
  /// The manifest of these scenes.
  package var manifest: Manifest {
    get throws(SceneError) {
      var manifest = Manifest(roles: [])
      var names: Set<String> = []
      for scene in scenes {
        let configuration = scene.configuration
        try check(configuration, isNew: names.insert(configuration.name).inserted)
        if let index = manifest.roles.firstIndex(where: { $0.role == scene.role }) {
          manifest.roles[index].configurations.append(configuration)
          manifest.roles[index].launches[configuration.name] = scene.launch
        } else {
          manifest.roles.append(
            RoleConfigurations(
              role: scene.role, configurations: [configuration],
              launches: scene.launch.map { [configuration.name: $0] } ?? [:]))
        }
        if let launch = scene.launch { try check(launch, of: configuration.name) }
      }
      guard let first = scenes.first else {
        throw SceneError(.invalidParams, "the app declares no scene; add a WindowGroup to its body")
      }
      for topic in topics {
        try check(topic, isNew: manifest.topics[topic.name] == nil)
        manifest.topics[topic.name] = topic.declaration
      }
      try applyPolicies(to: &manifest)
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

  // MARK: - Policies

  private func applyPolicies(to manifest: inout Manifest) throws(SceneError) {
    var names: Set<String> = []
    for policy in policies {
      guard names.insert(policy.name).inserted else {
        throw SceneError(.invalidParams, "the app declares the \(policy.name) twice")
      }
      switch policy {
      case .foreground(let count):
        guard (1...100_000).contains(count) else {
          throw policy.flaw("\(count) scenes; expected 1 to 100000")
        }
        manifest.policies.foreground = .atMost(count)
      case .reclaim(let count, let age):
        guard count.map((0...1_000_000).contains) ?? true else {
          throw policy.flaw("\(count ?? 0) scenes; expected 0 to 1000000")
        }
        manifest.policies.reclaim.count = count
        manifest.policies.reclaim.age = try age.map { age throws(SceneError) in
          try policy.interval(age)
        }
      case .budget(let name, let time):
        guard Budgets.names.contains(name) else {
          throw SceneError(
            .invalidParams,
            "unknown budget \(name.clipped(to: 60)); the budgets are "
              + Budgets.names.joined(separator: ", "))
        }
        manifest.budgets[name] = try policy.interval(time)
      }
    }
  }

  private func check(_ launch: LaunchCommand, of name: String) throws(SceneError) {
    guard launch.words.first?.isEmpty == false else {
      throw SceneError(.invalidParams, "the launch of \(name) names no program")
    }
  }

  private func check(_ topic: DeclaredTopic, isNew: Bool) throws(SceneError) {
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

extension SceneDeclarations.DeclaredPolicy {
  /// The name of the policy, for errors.
  fileprivate var name: String {
    switch self {
    case .foreground: "foreground policy"
    case .reclaim: "reclaim policy"
    case .budget(let name, _): "budget \(name.clipped(to: 60))"
    }
  }

  fileprivate func flaw(_ problem: String) -> SceneError {
    SceneError(.invalidParams, "the \(name) declares \(problem)")
  }

  fileprivate func interval(_ time: Duration) throws(SceneError) -> Interval {
    let interval = Interval(nanoseconds: time.nanoseconds)
    guard (Interval.milliseconds(1)...Interval.year).contains(interval) else {
      throw flaw("\(time); expected 1 ms to 365 days")
    }
    return interval
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
