/// The name of a program, and where it finds its broker.
package struct ProgramAddress: Sendable {
  package var name: String
  /// The path of the broker's socket; nil for that of the application.
  package var socket: String?
  /// The name of the application; nil for `default`.
  package var application: String?
}
