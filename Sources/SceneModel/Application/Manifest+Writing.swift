package import SceneJSON

extension Manifest {
  /// The manifest as a JSON file, with all defaults.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("supportsMultipleScenes")
    writer.bool(supportsMultipleScenes)
    writer.name("configurations")
    writer.object(roles.map { ($0.role.rawValue, $0) }) { writer, role in
      writer.array(role.configurations) { writer, configuration in
        configuration.write(to: &writer, launch: role.launches[configuration.name])
      }
    }
    writer.name("policies")
    policies.write(to: &writer)
    writer.name("budgets")
    budgets.write(to: &writer)
    writer.name("topics")
    writer.object(topics.sorted { $0.key < $1.key }) { writer, topic in
      writer.beginObject()
      writer.name("durable")
      writer.bool(topic.isDurable)
      writer.name("keep")
      writer.integer(topic.keep)
      writer.endObject()
    }
    writer.name("applicationDelegate")
    writer.string(applicationDelegate.rawValue)
    if isClassic {
      writer.name("classic")
      writer.bool(true)
    }
    for (name, text) in [("bundleName", bundleName), ("bundleVersion", bundleVersion)] {
      guard let text else { continue }
      writer.name(name)
      writer.string(text)
    }
    if let updateEnvironment {
      writer.name("updateEnvironment")
      writer.array(updateEnvironment) { $0.string($1) }
    }
    writer.endObject()
  }
}

extension SceneConfiguration {
  fileprivate func write(to writer: inout JSONWriter, launch: LaunchCommand?) {
    writer.beginObject()
    for (name, text) in [
      ("name", name), ("delegateClass", delegateClass), ("sceneClass", sceneClass),
      ("storyboard", storyboard), ("kind", kind.rawValue),
    ] {
      guard let text else { continue }
      writer.name(name)
      writer.string(text)
    }
    if let retry {
      writer.name("reopen")
      writer.object([("retry", retry)]) { $0.double($1) }
    }
    if let launch {
      writer.name("launch")
      launch.write(to: &writer)
    }
    writer.endObject()
  }
}

extension LaunchCommand {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("command")
    writer.array(words) { $0.string($1) }
    writer.name("environment")
    writer.array(environment) { $0.string($1) }
    if hasTerminal {
      writer.name("terminal")
      writer.bool(true)
    }
    writer.endObject()
  }
}

extension Policies {
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("foreground")
    switch foreground {
    case .split: writer.string("split")
    case .exclusive: writer.string("exclusive")
    case .atMost(let count): writer.integer(count)
    }
    writer.name("reclaim")
    writer.beginObject()
    if let count = reclaim.count {
      writer.name("count")
      writer.integer(count)
    }
    if let age = reclaim.age {
      writer.name("age")
      writer.double(age.seconds)
    }
    writer.endObject()
    writer.endObject()
  }
}

extension Budgets {
  fileprivate func write(to writer: inout JSONWriter) {
    let all = [("connect", connect), ("default", standard)] + special.sorted { $0.key < $1.key }
    writer.object(all) { $0.double($1.seconds) }
  }
}

extension JSONWriter {
  fileprivate mutating func array<Element>(
    _ elements: [Element], _ body: (inout JSONWriter, Element) -> Void
  ) {
    beginArray()
    for element in elements { body(&self, element) }
    endArray()
  }

  fileprivate mutating func object<Value>(
    _ members: [(String, Value)], _ body: (inout JSONWriter, Value) -> Void
  ) {
    beginObject()
    for (name, value) in members {
      self.name(name)
      body(&self, value)
    }
    endObject()
  }
}
