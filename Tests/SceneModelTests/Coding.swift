import SceneJSON
import SceneModel
import Testing

/// The JSON text of a value.
func text(_ value: some JSONCodable) -> String {
  var writer = JSONWriter()
  value.write(to: &writer)
  return String(decoding: writer.bytes, as: UTF8.self)
}

/// Reads a value from JSON text.
func read<Value: JSONCodable>(_ type: Value.Type = Value.self, from text: String) throws -> Value {
  let document = try document(text)
  return try Value(reading: document.root)
}

/// The error of a text that does not describe a value; nil if it does.
func problem<Value: JSONCodable>(_ type: Value.Type, _ text: String) throws -> String? {
  let document = try document(text)
  do throws(MemberError) {
    _ = try Value(reading: document.root)
    return nil
  } catch {
    return error.description
  }
}

func document(_ text: String) throws -> JSONDocument {
  let document = JSONDocument()
  try document.read(text.utf8)
  return document
}

func object(_ text: String) throws -> OpaqueObject { try read(from: text) }

func activity(_ text: String) throws -> Activity { try read(from: text) }

/// An object with `depth` nested arrays.
func nested(_ depth: Int) -> String {
  #"{"a":\#(String(repeating: "[", count: depth - 1))\#(String(repeating: "]", count: depth - 1))}"#
}
