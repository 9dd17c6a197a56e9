import CommandLine
import JSON
import SceneClient
import SceneModel
import ScenePlatform

extension Invocation {
  /// Which session is wanted, and how.
  func connectRequest() throws(UsageError) -> SceneConnect {
    let name = argument("NAME")
    var message = SceneConnect(
      name: name, new: has("new"), takeOver: has("take-over"), background: has("background"),
      configuration: value("configuration"), title: value("title"))
    if has("role") { message.role = value("role").map(Role.init(rawValue:)) }
    message.session = value("session").flatMap(SessionIdentifier.init)
    if name != nil, has("new") {
      throw usageError(
        "NAME and --new exclude each other: the session NAME is made without --new if there is "
          + "none, and what --new makes has no name")
    }
    if name != nil, has("session") {
      throw usageError("NAME and --session exclude each other: each says which session; give one")
    }
    let urls = values("url")
    if !urls.isEmpty {
      var options = ConnectionOptions()
      for url in urls {
        do throws(MemberError) {
          options.urlContexts.append(
            try SceneModel.OpenURLContext { writer in
              writer.name("url")
              writer.string(url)
            })
        } catch {
          throw usageError("--\(error)")
        }
      }
      message.options = options
    }
    if let text = value("user-info") { message.userInfo = try object(text, option: "user-info") }
    return message
  }

  /// What `--session` says where that is no whole identifier: the broker knows which session it is.
  var sessionWord: String? {
    value("session").flatMap { SessionIdentifier($0) == nil ? $0 : nil }
  }

  /// The program that the scene is, and its arguments; nil where it is none.
  func hostedCommand() throws(UsageError) -> [String]? {
    guard let words = trailing else { return nil }
    guard let name = words.first, !name.isEmpty else {
      let found = words.isEmpty ? "" : ", found an empty word"
      throw usageError(
        "expected a command behind --\(found), as in: scene packing -- vim notes.txt; a session's "
          + "name stands before the --")
    }
    return words
  }

  /// What shows the broker that it has started this program; nil if it has not, or if a session is
  /// named that is to be had instead.
  func launch() throws(UsageError) -> String? {
    guard let launch = Environment[Initialize.launchVariable], argument("NAME") == nil,
      !has("new"), !has("session")
    else { return nil }
    for option in ["configuration", "role", "user-info", "url", "background", "take-over"]
    where has(option) {
      throw usageError(
        "--\(option) is for who asks for a session; this program was started for one, as "
          + "\(Initialize.launchVariable) says, and is given that")
    }
    return launch
  }

  /// What is to be saved once the scene is connected.
  func firstActivity() throws(UsageError) -> Activity? {
    guard let text = value("activity") else { return nil }
    do throws(MemberError) {
      if let activity = try TypedActivity.word(text) { return activity }
    } catch {
      throw usageError("--activity: \(error)")
    }
    throw usageError("--activity: \(TypedActivity.expectation), found \"\(text.printable)\"")
  }

  func place() throws -> BrokerPlace {
    do throws(SceneError) {
      return try BrokerPlace(
        socket: value("socket"), application: has("application") ? value("application") : nil)
    } catch {
      guard error.code == .invalidParams else { throw error }
      throw usageError(error.message)
    }
  }

  /// For whoever is to type another command line to the same end; the socket's path is known.
  func advice(socket path: String) -> Advice {
    let identifier = value("session").map {
      $0.hasPrefix("-") ? "--session=\($0.shellWord)" : "--session \($0.shellWord)"
    }
    let session = argument("NAME")?.shellWord ?? identifier
    return Advice(
      options: Places.options(application: value("application"), socket: value("socket")),
      session: session.map { " " + $0 } ?? "", socket: path)
  }

  private func object(_ text: String, option: String) throws(UsageError) -> CarriedObject {
    let document = JSONDocument()
    do throws(JSONError) {
      try document.read(text.utf8)
    } catch {
      throw usageError("--\(option): \(error)")
    }
    do throws(MemberError) {
      return try CarriedObject(reading: document.root)
    } catch {
      throw usageError("--\(option): \(error)")
    }
  }
}
