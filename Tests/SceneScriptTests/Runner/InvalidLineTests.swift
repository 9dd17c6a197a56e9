import Testing

@testable import SceneScript

/// A line with `!` expects a refusal. An invalid line is a typing error instead.
@Suite("Invalid lines with !")
struct InvalidLineTests {
  private let start = "broker start\nclient packing\n"

  @Test(
    "an invalid line fails even with !",
    arguments: [
      (
        "! packing: tilte Trip",
        """
        expected a refusal, but the line is invalid: packing refused the line: there is no command \
        tilte; did you mean title?
        To expect this error, add the line: error invalidParams
        """
      ),
      (
        "! client other --no-such\nerror sessionInUse",
        "but the line is invalid: other exited with status 2\n  scene: unknown option --no-such"
      ),
      (
        "delegate app\n! app: declien",
        "the line is invalid: app refused the line: unknown rule \"declien\""
      ),
      ("broker stop\n! broker start --no-such", "but the line is invalid: the broker exited"),
      ("! save packing", "expected SESSION TYPE JSON, SESSION TYPE=JSON"),
    ])
  func fails(lines: String, message: String) throws {
    let failure = try ScriptFixture.failure(start + lines)
    #expect(failure.message.contains(message), "\(failure.message)")
    #expect(failure.line.hasPrefix("!"))
  }

  @Test(
    "a line with ! passes if it is refused, or if the script names its error",
    arguments: [
      "! packing: tilte Trip\nerror invalidParams", "! client other --no-such\nerror usage",
      "! client other --no-such\nexpect packing\nerror usage", "! save packing\nerror usage",
      "broker stop\n! broker start --no-such\nerror usage",
      "delegate app\n! app: declien\nerror invalidParams",
      "! packing: conditions can self ==\nerror invalidPredicate",
      "! background stranger\nerror noSession", "! exec sh -c 'exit 2'\nerror exit=2",
    ])
  func stated(lines: String) throws { try ScriptFixture.pass(start + lines) }

  @Test("an error line after another action does not count")
  func stale() throws {
    let lines = "! packing: tilte Trip\nbackground packing\nerror invalidParams"
    #expect(try ScriptFixture.failure(start + lines).location.line == 3)
  }
}
