import CommandLine
import SceneControl
import SceneModel
import ScenePlatform
import SceneWire

/// The verbs that make things go wrong.
extension ScriptVerb {
  static let hang = ScriptVerb("hang NAME [CALLBACK]", .acts) { (call) throws(ScriptFlaw) in
    guard 1...2 ~= call.words.count, let name = call.texts.first else { throw call.misuse() }
    let callback = call.texts.dropFirst().first
    if let callback, CallbackKind(rawValue: callback) == nil {
      let names = CallbackKind.allCases.map(\.rawValue)
      let advice = suggestion(for: callback, among: names)
      throw call.flaw(
        "there is no callback \(callback)"
          + (advice.isEmpty ? "; there are \(names.joined(separator: ", "))" : advice), at: 1)
    }
    let line = ["hang", callback].compactMap { $0 }.joined(separator: " ")
    return { (stage) throws(StepFailure) in try stage.type(line, at: name) }
  }

  static let cut = ScriptVerb("cut [SESSION]", .acts) { (call) throws(ScriptFlaw) in
    guard call.words.count <= 1 else { throw call.misuse(at: 1) }
    let session = call.texts.first
    return { (stage) throws(StepFailure) in try stage.cut(session) }
  }

  static let disk = ScriptVerb("disk full|free", .acts) { (call) throws(ScriptFlaw) in
    let states = ["full", "free"]
    guard call.words.count == 1, states.contains(call.texts[0]) else {
      throw call.misuse(at: 0, among: states)
    }
    let words = ["fault", "--disk-full", call.texts[0] == "full" ? "on" : "off"]
    return { (stage) throws(StepFailure) in try stage.act(words) }
  }
}

extension Stage {
  /// As the peer of `cut` says that it is called.
  static let cutName = "cut"

  /// A peer comes, and ends in the middle of a frame: as the scene of a session, which it was about
  /// to save for, if one is named. Returns when the broker has seen the end.
  func cut(_ session: String?) throws(StepFailure) {
    _ = try liveBroker()
    do throws(ControlError) {
      let peer = try ControlConnection.open(
        socket, as: ClientName(name: Self.cutName, version: productVersion),
        kind: session == nil ? .control : .scene, until: deadline)
      peer.horizon = deadline
      _ = try peer.broker()
      if let session {
        let scene = try peer.request(SceneConnect(name: session))
        try peer.breakOff(in: SaveActivity(session: scene.session, activity: nil))
      } else {
        try peer.breakOff(in: Ping())
      }
    } catch .refused(let refusal) {
      throw .no("the broker says: \(refusal.message)", reason: refusal.reason)
    } catch {
      throw brokerFailure(error)
    }
  }
}
