package import SceneJSON

extension Manifest {
  /// The manifest as a JSON file, with all defaults.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("supportsMultipleScenes", supportsMultipleScenes)
      if defaultRole != .windowApplication {
        writer.member("preferredDefaultRole", defaultRole.rawValue)
      }
      writer.object("configurations") { writer in
        for role in roles {
          writer.array(role.role.rawValue, role.configurations) { writer, configuration in
            configuration.write(
              to: &writer, role.policies[configuration.name] ?? ConfigurationPolicies(),
              launch: role.launches[configuration.name])
          }
        }
      }
      writer.name("policies")
      policies.write(to: &writer)
      writer.object("budgets") { budgets.write(to: &$0) }
      writer.object("topics") { writer in
        for (name, topic) in topics.sorted(by: { $0.key < $1.key }) {
          writer.object(name) { writer in
            writer.member("durable", topic.isDurable)
            writer.member("keep", topic.keep)
          }
        }
      }
      writer.member("applicationDelegate", applicationDelegate.rawValue)
      if isClassic { writer.member("classic", true) }
      writer.member("bundleName", ifPresent: bundleName)
      writer.member("bundleVersion", ifPresent: bundleVersion)
      writer.member("updateEnvironment", ifPresent: updateEnvironment)
    }
  }
}

extension SceneConfiguration {
  fileprivate func write(
    to writer: inout JSONWriter, _ policies: ConfigurationPolicies, launch: LaunchCommand?
  ) {
    writer.object { writer in
      writer.member("name", name)
      writer.member("delegateClass", ifPresent: delegateClass)
      writer.member("sceneClass", ifPresent: sceneClass)
      writer.member("storyboard", ifPresent: storyboard)
      writer.member("kind", kind.rawValue)
      if !policies.reopens {
        writer.member("reopen", false)
      } else if let retry {
        writer.object("reopen") { $0.member("retry", retry) }
      }
      if !policies.handles.isEmpty {
        writer.member("handles", policies.handles.map(\.description))
      }
      if let unresponsive = policies.unresponsive {
        writer.object("unresponsive") { writer in
          writer.member("after", unresponsive.after.seconds)
          writer.member("then", unresponsive.action.rawValue)
        }
      }
      if let launch {
        writer.object("launch") { launch.write(to: &$0) }
        if launch.restart != .never { writer.member("restart", launch.restart.rawValue) }
      }
    }
  }
}

extension LaunchCommand {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("command", words)
    writer.member("environment", environment)
    if hasTerminal { writer.member("terminal", true) }
  }
}

extension Policies {
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      switch foreground {
      case .split: writer.member("foreground", "split")
      case .exclusive: writer.member("foreground", "exclusive")
      case .atMost(let count): writer.member("foreground", count)
      }
      writer.object("reclaim") { writer in
        writer.member("count", ifPresent: reclaim.count)
        writer.member("age", ifPresent: reclaim.age?.seconds)
        if reclaim.pressure { writer.member("pressure", true) }
      }
      writer.member("trash", ifPresent: trash?.seconds)
    }
  }
}

extension Budgets {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("connect", connect.seconds)
    writer.member("default", standard.seconds)
    // An earlier version refuses the member. An upgrade to it hands over the manifest of a pipe.
    if ping != Budgets().ping { writer.member("ping", ping.seconds) }
    for (name, budget) in special.sorted(by: { $0.key < $1.key }) {
      writer.member(name, budget.seconds)
    }
  }
}
