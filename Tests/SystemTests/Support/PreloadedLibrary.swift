import ScenePlatform
import SceneTestSupport
import Testing

/// A C library between a program and the system (`LD_PRELOAD`).
enum PreloadedLibrary {
  /// Static programs load no library.
  fileprivate static let isPossible: Bool = {
    guard let program = try? File.open(Programs.path("scened"), .read),
      let start = try? program.read(at: 0, count: 4096)
    else { return true }
    return String(decoding: start, as: UTF8.self).contains("/ld-linux")
  }()

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

extension Trait where Self == ConditionTrait {
  /// Skips a test with a preloaded library where `scripts/install` has installed the programs.
  static var preload: Self {
    .enabled(if: PreloadedLibrary.isPossible, "static programs load no library")
  }
}
