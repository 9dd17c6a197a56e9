import SceneJSON

/// The place of a window. `scene` stores it with its session, and `scenectl reopen` reads it. The
/// broker carries the object and never interprets it.
package struct ScenePlacement: JSONStructure, Equatable, Sendable {
  /// Whether the window has the prompt of `scene`, which runs no program.
  package var isPrompt = false
  /// The pane of the window; nil outside tmux.
  package var tmux: TmuxPlace?

  /// The most bytes of the object.
  package static let byteLimit = 1024

  package init() {}

  package init(isPrompt: Bool, tmux: TmuxPlace?) {
    self.isPrompt = isPrompt
    self.tmux = tmux
  }

  /// Nil for an object that another program stored.
  package init?(_ object: OpaqueObject?) {
    let document = JSONDocument()
    guard let object, (try? document.read(object.json.bytes.span)) != nil,
      let placement = try? ScenePlacement(reading: document.root)
    else { return nil }
    self = placement
  }

  /// The object for the broker; nil for a window without a place. A place in tmux that is too large
  /// is left out.
  package var object: OpaqueObject? {
    guard self != ScenePlacement() else { return nil }
    var writer = JSONWriter()
    write(to: &writer)
    guard writer.bytes.count <= Self.byteLimit else {
      return ScenePlacement(isPrompt: isPrompt, tmux: nil).object
    }
    return OpaqueObject(unchecked: RawJSON(unchecked: writer.bytes))
  }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("prompt", &isPrompt, otherwise: false)
    try visitor.optional("tmux", &tmux)
  }
}

/// A pane of tmux.
package struct TmuxPlace: JSONStructure, Equatable, Sendable {
  /// The path of the server's socket.
  package var server = ""
  package var session = ""
  /// The index of the window in the session.
  package var window: Int64 = 0
  /// The index of the pane in the window.
  package var pane: Int64 = 0
  /// The layout of the window, for so many panes.
  package var layout = ""
  package var paneCount: Int64 = 1
  /// The identifier of the pane, as long as the server lives: `%` and a number.
  package var identifier = ""
  /// The name that the user gave the window; nil for a name that tmux chooses.
  package var name: String?

  package init() {}

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("server", &server)
    try visitor.required("session", &session)
    try visitor.required("window", &window)
    try visitor.required("pane", &pane)
    try visitor.required("layout", &layout)
    try visitor.required("panes", &paneCount)
    try visitor.required("id", &identifier)
    try visitor.optional("name", &name)
  }

  /// The pane as tmux names it.
  package var target: String { "\(session):\(window).\(pane)" }

  /// The place to store for a pane whose stored place is `former`. In its session, a pane keeps
  /// that place while others can be missing. They can as its scene opens, and then as long as there
  /// are fewer and `awaitsPanes`. The window can have another index now.
  package func following(
    _ former: TmuxPlace?, isOpening: Bool, awaitsPanes: Bool
  ) -> TmuxPlace {
    guard var former, former.server == server, former.session == session,
      isOpening || awaitsPanes && former.paneCount > paneCount
    else { return self }
    former.identifier = identifier
    return former
  }
}
