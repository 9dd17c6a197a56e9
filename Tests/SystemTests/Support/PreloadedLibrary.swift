import ScenePlatform
import SceneTestSupport
import Testing

/// A C library between a program and the system (`LD_PRELOAD`).
enum PreloadedLibrary {
  /// Compiles a library and returns its path.
  static func compile(_ source: String, in workplace: Workplace) throws -> String {
    let library = workplace.file("preloaded.so")
    let compile = #"exec "$(type -P cc clang gcc | head -n 1)" -shared -fPIC -o "$1" "$2""#
    let compiled = try RunningProgram.run(
      "/bin/bash", ["-c", compile, "preloaded", library, source])
    try #require(compiled.code == 0, "\(compiled.errors)")
    return library
  }
}
