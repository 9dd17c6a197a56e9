/// An error in a script, found before the first line runs.
package struct ScriptError: Error, Equatable, Sendable, CustomStringConvertible {
  package var location: ScriptLocation
  package var message: String

  package init(_ location: ScriptLocation, _ message: String) {
    self.location = location
    self.message = message
  }

  package var description: String { "\(location): \(message)" }
}
