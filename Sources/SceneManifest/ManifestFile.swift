import JSON
import SceneModel

/// A manifest as it lies in a file: an `Info.plist`, XML or binary, or JSON.
package enum ManifestFile {
  /// What has more bytes than this is no manifest.
  package static let byteLimit = 4 << 20

  /// Reads it whole, or says everything that is wrong. `name` is the file's, for people.
  package static func read(
    _ bytes: ContiguousArray<UInt8>, named name: String, variables: ManifestVariables
  ) throws(ManifestError) -> LoadedManifest {
    let isPropertyList = PropertyList.isLikely(bytes)
    let root: ManifestNode
    do throws(ManifestFlaw) {
      root = try isPropertyList ? PropertyList.read(bytes) : json(bytes)
      guard case .object = root.value else {
        throw ManifestFlaw("", "expected an object, found \(root.kind)")
      }
    } catch {
      throw ManifestError(file: name, flaws: [error])
    }
    let whole = ManifestPlace(node: root, path: "")
    let part = root.member(ManifestKey.sceneManifest)
    let dialect: ManifestDialect = part == nil && !isPropertyList ? .short : .propertyList
    var reader = ManifestReader(dialect, variables)
    var manifest: Manifest
    switch dialect {
    case .short: manifest = reader.manifest(whole)
    case .propertyList:
      reader.noteStrays(beside: whole)
      manifest =
        part.map { reader.manifest(ManifestPlace(node: $0, path: ManifestKey.sceneManifest)) }
        ?? .classic
      manifest.bundleName = reader.optionalText(whole, ManifestKey.bundleName)
      manifest.bundleVersion = reader.optionalText(whole, ManifestKey.bundleVersion)
    }
    guard reader.flaws.isEmpty else {
      throw ManifestError(file: name, flaws: reader.flaws.map { $0.located(in: bytes) })
    }
    return LoadedManifest(manifest, warnings: reader.warnings.map { $0.located(in: bytes) })
  }

  private static func json(_ bytes: ContiguousArray<UInt8>) throws(ManifestFlaw) -> ManifestNode {
    let document = JSONDocument()
    guard !bytes.isEmpty else {
      throw ManifestFlaw("", "there is nothing in it; what comes through a pipe can be read once")
    }
    do throws(JSONError) {
      try document.read(bytes.span)
    } catch {
      let place = TextPlace(of: error.offset, in: bytes)
      throw ManifestFlaw(
        "",
        "\(place): this is neither JSON nor a property list: "
          + error.reason.description)
    }
    return ManifestNode(document.root)
  }
}
