@testable import SceneJSON

/// Reads a text into a new document, which exists until the process ends: a value does not keep its
/// document alive.
func parse(_ text: String, maximumDepth: Int = 64) throws(JSONError) -> JSONValue {
  try parse(Array(text.utf8), maximumDepth: maximumDepth)
}

/// Reads bytes into a new document, in the same way.
func parse(_ bytes: [UInt8], maximumDepth: Int = 64) throws(JSONError) -> JSONValue {
  let document = JSONDocument()
  try document.read(bytes, maximumDepth: maximumDepth)
  _ = Unmanaged.passRetained(document)
  return document.root
}

/// The error of the bytes; nil if they are valid.
func errorReading(_ bytes: [UInt8], maximumDepth: Int = 64) -> JSONError? {
  do {
    _ = try parse(bytes, maximumDepth: maximumDepth)
    return nil
  } catch {
    return error
  }
}

/// The error of the text; nil if it is valid.
func errorReading(_ text: String, maximumDepth: Int = 64) -> JSONError? {
  errorReading(Array(text.utf8), maximumDepth: maximumDepth)
}

/// Writes a value again, with the texts of its strings and the digits of its numbers.
func write(_ value: JSONValue, to writer: inout JSONWriter) {
  switch value.kind {
  case .null: writer.null()
  case .bool: writer.bool(value.bool == true)
  case .number: writer.raw(value)
  case .string: writer.string(value.string ?? "")
  case .array:
    writer.beginArray()
    for element in value.elements { write(element, to: &writer) }
    writer.endArray()
  case .object:
    writer.beginObject()
    for (name, member) in value.members {
      writer.name(name.string ?? "")
      write(member, to: &writer)
    }
    writer.endObject()
  }
}

/// The text of a value written again.
func rewritten(_ value: JSONValue) -> [UInt8] {
  var writer = JSONWriter()
  write(value, to: &writer)
  return Array(writer.bytes)
}

/// The output of a writer.
func written(_ write: (inout JSONWriter) -> Void) -> String {
  var writer = JSONWriter()
  write(&writer)
  return String(decoding: writer.bytes, as: UTF8.self)
}
