import SceneFuzzing
import SceneJSON
import SceneManifest
import SceneModel
import Testing

@Suite("Fuzzed manifests", .fuzz)
struct FuzzTests {
  @Test("any file is refused with a problem, or is a manifest that is written and read again")
  func manifests() throws {
    try Fuzz.play("manifests", also: ["Tests/SceneManifestTests/Files"]) { bytes in
      let manifest: Manifest
      do throws(ManifestError) {
        manifest = try read(ContiguousArray(bytes))
      } catch {
        #expect(!error.flaws.isEmpty && error.flaws.allSatisfy { !$0.problem.isEmpty })
        return
      }
      var writer = JSONWriter()
      manifest.write(to: &writer)
      // A literal `$(` is written as a file has a variable.
      guard !String(decoding: writer.bytes, as: UTF8.self).contains("$(") else { return }
      let again = try read(writer.bytes)
      #expect(again == manifest)
    }
  }

  private func read(_ bytes: ContiguousArray<UInt8>) throws(ManifestError) -> Manifest {
    try ManifestFile.read(
      bytes, named: "app", variables: ManifestVariables(application: "my notes")
    ).manifest
  }
}
