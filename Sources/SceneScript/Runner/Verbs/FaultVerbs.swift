import SceneControl
import SceneModel
import ScenePlatform
import SceneWire

/// The verbs that inject faults.
extension ScriptVerb {
  static let hang = ScriptVerb("hang NAME [CALLBACK]", .acts) { (call) throws(ScriptError) in
    guard 1...2 ~= call.words.count, let name = call.texts.first else { throw call.usageError() }
    let callback = call.texts.dropFirst().first
    let names = CallbackKind.ofScenes.map(\.rawValue)
    if let callback, !names.contains(callback) {
      throw call.error(ObservedCallback.problem(withUnknown: callback, among: names), at: 1)
    }
    let line = ["hang", callback].compactMap { $0 }.joined(separator: " ")
    return { (environment) throws(StepFailure) in try environment.type(line, at: name) }
  }

  static let cut = ScriptVerb("cut [SESSION]", .acts) { (call) throws(ScriptError) in
    guard call.words.count <= 1 else { throw call.usageError(at: 1) }
    let session = call.texts.first
    return { (environment) throws(StepFailure) in try environment.cut(session) }
  }

  static let disk = ScriptVerb("disk full|free", .acts) { (call) throws(ScriptError) in
    let states = ["full", "free"]
    guard call.words.count == 1, states.contains(call.texts[0]) else {
      throw call.usageError(at: 0, among: states)
    }
    let words = ["fault", "--disk-full", call.texts[0] == "full" ? "on" : "off"]
    return { (environment) throws(StepFailure) in try environment.runControlVerb(words) }
  }
}

extension ScriptEnvironment {
  /// The client name of the connection that `cut` opens.
  static let cutName = "cut"

  /// Opens a connection and closes it in the middle of a frame. With a session, the connection is
  /// that of its scene, and the frame is a save.
  func cut(_ session: String?) throws(StepFailure) {
    _ = try liveBroker()
    do throws(ControlError) {
      let peer = try ControlConnection.open(
        socket, as: ClientName(name: Self.cutName, version: productVersion),
        kind: session == nil ? .control : .scene, until: deadline)
      peer.horizon = deadline
      _ = try peer.greeting()
      if let session {
        let scene = try peer.request(SceneConnect(name: session))
        try peer.breakOff(in: SaveActivity(session: scene.session, activity: nil))
      } else {
        try peer.breakOff(in: Ping())
      }
    } catch .refused(let refusal) {
      throw .mismatch("the broker refused: \(refusal.message)", reason: refusal.reason)
    } catch {
      throw brokerFailure(error)
    }
  }
}
