import SceneClient
import SceneCommandLine
import SceneJSON
import SceneModel
import ScenePlatform

extension Invocation {
  /// The request for the session of the command line.
  func connectRequest() throws(UsageError) -> SceneConnect {
    let name = argument("NAME")
    var message = SceneConnect(
      name: name, new: has("new"), takeOver: has("take-over"), background: has("background"),
      configuration: value("configuration"), title: value("title"))
    if has("role") { message.role = value("role").map(Role.init(rawValue:)) }
    message.session = value("session").flatMap(SessionIdentifier.init)
    if name != nil, has("new") {
      throw usageError(
        "NAME and --new cannot be used together: --new makes a session without a name; to make the "
          + "session NAME, omit --new")
    }
    if name != nil, has("session") {
      throw usageError("NAME and --session cannot be used together: both select a session; use one")
    }
    let urls = values("url")
    if !urls.isEmpty {
      var options = ConnectionOptions()
      for url in urls {
        options.urlContexts.append(
          try member(
            SceneModel.OpenURLContext { writer in
              writer.member("url", url)
            }))
      }
      message.options = options
    }
    if let text = value("user-info") { message.userInfo = try object(text, option: "user-info") }
    return message
  }

  /// The value of `--session` if it is no complete identifier; the broker resolves it.
  var sessionWord: String? {
    value("session").flatMap { SessionIdentifier($0) == nil ? $0 : nil }
  }

  /// The hosted program and its arguments; nil without one.
  func hostedCommand() throws(UsageError) -> [String]? {
    guard let words = trailing else { return nil }
    guard let name = words.first, !name.isEmpty else {
      let found = words.isEmpty ? "" : ", found an empty word"
      throw usageError(
        "expected a command after --\(found), as in: scene packing -- vim notes.txt; the name of "
          + "a session goes before --")
    }
    return words
  }

  /// The launch token of the broker; nil without a launch, or if the command line names a session.
  func launch() throws(UsageError) -> String? {
    guard let launch = Environment[Initialize.launchVariable], argument("NAME") == nil,
      !has("new"), !has("session")
    else { return nil }
    for option in ["configuration", "role", "user-info", "url", "background", "take-over"]
    where has(option) {
      throw usageError(
        "--\(option) and $\(Initialize.launchVariable) cannot be used together: the broker started this "
          + "program for an existing session")
    }
    return launch
  }

  /// The activity to save after the connection.
  func firstActivity() throws(UsageError) -> Activity? {
    guard let text = value("activity") else { return nil }
    if let activity = try member(TypedActivity.word(text), of: "activity: ") { return activity }
    throw usageError("--activity: \(TypedActivity.expectation), found \"\(text.printable)\"")
  }

  func place() throws -> BrokerAddress {
    do throws(SceneError) {
      return try BrokerAddress(
        socket: value("socket"), application: has("application") ? value("application") : nil)
    } catch {
      guard error.code == .invalidParams else { throw error }
      throw usageError(error.message)
    }
  }

  /// The suggested command lines for the same broker.
  func advice(socket path: String) -> Suggestion {
    let identifier = value("session").map {
      $0.hasPrefix("-") ? "--session=\($0.shellWord)" : "--session \($0.shellWord)"
    }
    let session = argument("NAME")?.shellWord ?? identifier
    return Suggestion(
      options: RuntimePaths.options(application: value("application"), socket: value("socket")),
      session: session.map { " " + $0 } ?? "", socket: path)
  }

  private func object(_ text: String, option: String) throws(UsageError) -> OpaqueObject {
    let document = JSONDocument()
    try member(document.parse(text.utf8), of: "\(option): ")
    return try member(OpaqueObject(reading: document.root), of: "\(option): ")
  }

  /// The value of an option. Its error becomes the error of the command line.
  private func member<Value>(
    _ value: @autoclosure () throws(MemberError) -> Value, of option: String = ""
  ) throws(UsageError) -> Value {
    do throws(MemberError) {
      return try value()
    } catch {
      throw usageError("--\(option)\(error)")
    }
  }
}
