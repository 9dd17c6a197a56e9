/// The user has no home directory.
package struct RuntimePathsError: Error, Equatable, Sendable, CustomStringConvertible {
  package var description: String {
    "user \(User.current) has no home directory; set HOME, or name the socket with -S or "
      + "SCENE_SOCKET, and for scened the state directory with --state"
  }
}
