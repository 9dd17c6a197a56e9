import Testing

@testable import SceneScript

/// A line with `!` expects a refusal. An invalid line is a typing error instead.
@Suite("Invalid lines with !")
struct InvalidLineTests {
  private func failure(_ lines: String) throws -> ScriptFailure? {
    let outcome = try ScriptFixture.run("broker start\nclient packing\n" + lines)
    for section in outcome.sections {
      if case .failed(let failure) = section.result { return failure }
    }
    return nil
  }

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
    let failure = try #require(try failure(lines))
    #expect(failure.message.contains(message), "\(failure.message)")
    #expect(failure.line.hasPrefix("!"))
  }

  @Test(
    "an invalid line passes if the script names its error",
    arguments: [
      "! packing: tilte Trip\nerror invalidParams", "! client other --no-such\nerror usage",
      "! client other --no-such\nexpect packing\nerror usage", "! save packing\nerror usage",
      "broker stop\n! broker start --no-such\nerror usage",
      "delegate app\n! app: declien\nerror invalidParams",
    ])
  func stated(lines: String) throws {
    let failure = try failure(lines)
    #expect(failure == nil, "\(failure?.message ?? "")")
  }

  @Test("an error line after another action does not count")
  func stale() throws {
    let failure = try failure("! packing: tilte Trip\nbackground packing\nerror invalidParams")
    #expect(failure?.location.line == 3)
  }

  @Test(
    "a valid line that is refused passes",
    arguments: [
      "! packing: conditions can self ==\nerror invalidPredicate",
      "! background stranger\nerror noSession", "! exec sh -c 'exit 2'\nerror exit=2",
    ])
  func refused(lines: String) throws {
    let failure = try failure(lines)
    #expect(failure == nil, "\(failure?.message ?? "")")
  }
}
