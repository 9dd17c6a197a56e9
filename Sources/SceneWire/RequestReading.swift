package import SceneJSON
package import SceneModel

extension ClientRequest {
  /// Reads a request and finds its row. An unknown method and wrong parameters are errors of the
  /// request alone.
  package static func read(
    method: JSONValue, params: JSONValue?
  ) throws(BrokerError) -> (RequestMethod, ClientRequest) {
    guard let known = MethodTable.shared[method] else {
      throw BrokerError(
        .methodNotFound,
        "there is no method \(method.string?.clipped(to: 100) ?? ""); broker/describe lists the "
          + "methods")
    }
    do throws(MemberError) {
      return (known, try known.read(params))
    } catch {
      throw BrokerError(.invalidParams, "\(known): \(error.inside("params"))")
    }
  }
}

/// Finds a row by the bytes of the method's name, without a string.
struct MethodTable: Sendable {
  static let shared = MethodTable()

  /// Open addressing. At most a third of the slots is used.
  private let slots: [(name: StaticString, method: RequestMethod)?]

  private init() {
    var slots = [(name: StaticString, method: RequestMethod)?](
      repeating: nil, count: 3 * RequestMethod.all.count)
    for method in RequestMethod.all {
      let name = method.name
      var index = Self.hash(name) % slots.count
      while slots[index] != nil { index = (index + 1) % slots.count }
      slots[index] = (name, method)
    }
    self.slots = slots
  }

  subscript(name: JSONValue) -> RequestMethod? {
    guard let hash = name.withUTF8(Self.hash) else { return nil }
    var index = hash % slots.count
    while let slot = slots[index] {
      if name.equals(slot.name) { return slot.method }
      index = (index + 1) % slots.count
    }
    return nil
  }

  private static func hash(_ name: StaticString) -> Int {
    name.withUTF8Buffer { unsafe hash(Span(_unsafeElements: $0)) }
  }

  /// FNV-1a.
  private static func hash(_ bytes: Span<UInt8>) -> Int {
    var hash: UInt32 = 2_166_136_261
    for index in bytes.indices { hash = (hash ^ UInt32(bytes[index])) &* 16_777_619 }
    return Int(hash)
  }
}
