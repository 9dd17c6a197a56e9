import SceneBroker
import SceneCommandLine
import SceneManifest
import SceneModel
import Testing

@testable import SceneServer

/// The manifest that the broker reads again, and the log of it.
struct ManifestReloaderTests {
  private let log = LoggedLines()

  private func reload(
    _ read: ((_ isAgain: Bool) -> Result<LoadedManifest, ManifestError>)?
  ) -> ManifestReading {
    let source = read.map { ManifestSource(name: "app.json", read: $0) }
    return ManifestReloader(source, log: Log(write: log.take)).reload()
  }

  @Test("a valid manifest replaces the old one, and its warnings are in the log")
  func valid() {
    let reading = reload { isAgain in
      #expect(isAgain)
      return .success(
        LoadedManifest(.builtIn, warnings: [ManifestDiagnostic("roles", "unknown role")]))
    }
    #expect(reading == .manifest(.builtIn))
    #expect(
      log.lines == [
        "scened: warning: app.json: roles: unknown role\n",
        "scened: read the manifest again: app.json\n",
      ])
  }

  @Test("a manifest with mistakes is refused, with a line for each mistake")
  func mistakes() {
    let mistakes = [ManifestDiagnostic("a", "no list"), ManifestDiagnostic("b", "no name")]
    let reading = reload { _ in .failure(ManifestError(file: "app.json", flaws: mistakes)) }
    let lines = ["app.json: a: no list", "app.json: b: no name"]
    #expect(reading == .refused(lines))
    #expect(
      log.lines
        == ["cannot use the new manifest; the broker keeps the old one"].map(warning)
        + lines.map(warning))
  }

  @Test("a broker without a manifest file refuses to reload, and says how to have one")
  func noSource() {
    guard case .refused(let lines) = reload(nil) else {
      Issue.record("a manifest without a file")
      return
    }
    #expect(lines.count == 1 && lines.first?.contains("--manifest FILE") == true)
    #expect(log.lines.last == lines.first.map(warning))
  }

  private func warning(_ text: String) -> String { "scened: warning: \(text)\n" }
}
