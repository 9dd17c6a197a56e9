/// The access mode of an open file.
package enum StorageAccess: Sendable {
  case reading
  case writing
}
