#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads XML and binary property lists.
enum PropertyList {
  /// Whether the bytes begin like a property list.
  static func isLikely(_ bytes: ContiguousArray<UInt8>) -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    let start = text.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return start.starts(with: "<".utf8) || bytes.starts(with: binaryMark)
  }

  private static let binaryMark = "bplist".utf8

  static func read(_ bytes: ContiguousArray<UInt8>) throws(ManifestDiagnostic) -> ManifestNode {
    let isBinary = bytes.starts(with: binaryMark)
    do {
      if isBinary, let problem = PropertyListShape.problem(ofBinary: bytes) {
        throw ManifestDiagnostic("", problem)
      }
      let place = try isBinary ? nil : PropertyListText.place(in: bytes)
      let node = try PropertyListDecoder().decode(Value.self, from: Data(bytes)).node
      return place.map { node.located(at: $0) } ?? node
    } catch {
      let flaw = (error as? ManifestDiagnostic)?.located(in: bytes)
      let place = flaw?.place.map { "\($0): " } ?? ""
      let problem = flaw?.problem ?? reason(of: error).withoutLine
      throw ManifestDiagnostic("", "\(place)invalid property list: \(problem)")
    }
  }

  private static func reason(of error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    switch error {
    case .dataCorrupted(let context):
      let cause = (context.underlyingError as? CocoaError)?.userInfo["NSDebugDescription"]
      return cause.map { "\($0)" }?.prefixLine ?? context.debugDescription
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context):
      return context.debugDescription
    @unknown default: return "\(error)"
    }
  }
}

extension String {
  /// The first line.
  fileprivate var prefixLine: String { String(prefix { !$0.isNewline }) }

  /// The text without a line number, which Foundation reports wrongly.
  fileprivate var withoutLine: String { replacing(#/ (on|at) line \d+/#, with: "") }
}

/// A value of any kind.
private struct Value: Decodable {
  let node: ManifestNode

  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Name.self) {
      let names = members.allKeys.sorted { $0.stringValue < $1.stringValue }
      let values = try names.map { name in
        (name: name.stringValue, value: try members.decode(Value.self, forKey: name).node)
      }
      node = ManifestNode(value: .object(values))
    } else if var elements = try? decoder.unkeyedContainer() {
      var nodes: [ManifestNode] = []
      while !elements.isAtEnd { nodes.append(try elements.decode(Value.self).node) }
      node = ManifestNode(value: .array(nodes))
    } else {
      node = ManifestNode(value: try Self.leaf(decoder.singleValueContainer()))
    }
  }

  private static func leaf(
    _ value: any SingleValueDecodingContainer
  ) throws -> ManifestNode.Value {
    if let bool = try? value.decode(Bool.self) { return .bool(bool) }
    if let integer = try? value.decode(Int64.self) { return .integer(integer) }
    if let number = try? value.decode(Double.self) { return .number(number) }
    if let string = try? value.decode(String.self) { return .string(string) }
    if (try? value.decode(Date.self)) != nil { return .other("a date") }
    return .other("data")
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
