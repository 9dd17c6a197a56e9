/// The command behind `--`.
package struct TrailingCommand: Sendable {
  package var placeholder: String
  package var isRequired: Bool

  package static func required(_ placeholder: String = "COMMAND") -> TrailingCommand {
    TrailingCommand(placeholder: placeholder, isRequired: true)
  }

  package static func optional(_ placeholder: String = "COMMAND") -> TrailingCommand {
    TrailingCommand(placeholder: placeholder, isRequired: false)
  }
}
