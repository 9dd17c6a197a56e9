import Testing

@testable import SceneScript

/// A line with `!` that nobody understands has not been refused: it was mistyped.
@Suite("Lines that are not understood")
struct MisunderstoodLineTests {
  private func failure(_ lines: String) throws -> ScriptFailure? {
    let outcome = try Theatre.play("broker start\nclient packing\n" + lines)
    for section in outcome.sections {
      if case .failed(let failure) = section.result { return failure }
    }
    return nil
  }

  @Test(
    "one that was to be refused fails, and says the word",
    arguments: [
      (
        "! packing: tilte Trip",
        """
        it was to be refused, but is not even understood: packing says: there is no command tilte; \
        did you mean title?
        If that is what is meant, say so behind it: error invalidParams
        """
      ),
      (
        "! client other --no-such\nerror sessionInUse",
        "but is not even understood: other has ended with status 2\n  scene: unknown option --no-such"
      ),
      ("delegate app\n! app: declien", "not even understood: app says: means nothing: declien"),
      ("broker stop\n! broker start --no-such", "but is not even understood: the broker has ended"),
      ("! save packing", "expected SESSION TYPE JSON, SESSION TYPE=JSON"),
    ])
  func fails(lines: String, message: String) throws {
    let failure = try #require(try failure(lines))
    #expect(failure.message.contains(message), "\(failure.message)")
    #expect(failure.line.hasPrefix("!"))
  }

  @Test(
    "unless the script says that this is what it means",
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

  @Test("what comes behind another line that acts states nothing")
  func stale() throws {
    let failure = try failure("! packing: tilte Trip\nbackground packing\nerror invalidParams")
    #expect(failure?.place.line == 3)
  }

  @Test(
    "what is understood and refused is as it was",
    arguments: [
      "! packing: conditions can self ==\nerror invalidPredicate",
      "! background nobody\nerror noSession", "! exec sh -c 'exit 2'\nerror exit=2",
    ])
  func refused(lines: String) throws {
    let failure = try failure(lines)
    #expect(failure == nil, "\(failure?.message ?? "")")
  }
}
