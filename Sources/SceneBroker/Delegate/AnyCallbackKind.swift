package import SceneModel

/// The kind of a callback, to a scene or to the application delegate.
package enum AnyCallbackKind: Equatable, Sendable {
  case scene(CallbackKind)
  case delegate(DelegateCallbackKind)
}
