import SceneJSON
import SceneModel

/// A manifest file: an `Info.plist` (XML or binary) or JSON.
package enum ManifestFile {
  /// The maximum size of a manifest in bytes.
  package static let byteLimit = 4 << 20
  /// The maximum size in bytes of the manifest with all defaults and the values of variables. A
  /// client gets it in one message.
  package static let printedByteLimit = 8_000_000

  /// Parses a manifest. Throws all diagnostics. `name` is the file's name for messages.
  package static func read(
    _ bytes: ContiguousArray<UInt8>, named name: String, variables: ManifestVariables
  ) throws(ManifestError) -> LoadedManifest {
    let isPropertyList = PropertyList.isLikely(bytes)
    let root: ManifestNode
    do throws(ManifestDiagnostic) {
      root = try isPropertyList ? PropertyList.read(bytes) : json(bytes)
      guard case .object = root.value else {
        throw ManifestDiagnostic("", "expected an object, found \(root.kind)")
      }
    } catch {
      throw ManifestError(file: name, flaws: [error])
    }
    let whole = ManifestLocation(node: root, path: "")
    let part = root.member(ManifestKey.sceneManifest)
    var reader = ManifestReader(isPropertyList: part != nil || isPropertyList, variables: variables)
    var manifest: Manifest
    if reader.isPropertyList {
      reader.noteStrays(beside: whole)
      manifest =
        part.map { reader.manifest(ManifestLocation(node: $0, path: ManifestKey.sceneManifest)) }
        ?? .classic
      manifest.bundleName = reader.optionalText(whole, .bundleName)
      manifest.bundleVersion = reader.optionalText(whole, .bundleVersion)
    } else {
      manifest = reader.manifest(whole)
    }
    guard reader.flaws.isEmpty else {
      throw ManifestError(file: name, flaws: reader.flaws.map { $0.located(in: bytes) })
    }
    var writer = JSONWriter()
    manifest.write(to: &writer)
    guard writer.output.count <= printedByteLimit else {
      throw ManifestError(file: name, flaws: [.tooLong])
    }
    return LoadedManifest(manifest, warnings: reader.warnings.map { $0.located(in: bytes) })
  }

  private static func json(_ bytes: ContiguousArray<UInt8>) throws(ManifestDiagnostic)
    -> ManifestNode
  {
    let document = JSONDocument()
    guard !bytes.isEmpty else {
      throw ManifestDiagnostic("", "the file is empty; a pipe can be read only once")
    }
    do throws(JSONError) {
      try document.read(bytes.span)
    } catch {
      let place = TextLocation(of: error.offset, in: bytes)
      throw ManifestDiagnostic(
        "", "\(place): neither JSON nor a property list: \(error.reason.description)")
    }
    return ManifestNode(document.root)
  }
}
