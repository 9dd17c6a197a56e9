import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

#if os(Linux)
  /// A system without `/proc`, made up by a library that stands between the program and the system.
  struct SystemErrorTests {
    private let workplace: Workplace
    private let library: String

    init() throws {
      workplace = try Workplace()
      library = try PreloadedLibrary.compile(
        workplace.write("errors.c", Self.source), in: workplace)
    }

    /// `HIDES_PROC` hides `/proc`.
    private static let source = """
      #define _GNU_SOURCE
      #include <errno.h>
      #include <fcntl.h>
      #include <stdarg.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      #include <sys/syscall.h>
      #include <unistd.h>

      static int hides(const char *path) {
        return getenv("HIDES_PROC") != NULL && strncmp(path, "/proc/", 6) == 0;
      }

      FILE *fopen(const char *path, const char *mode) {
        errno = ENOENT;
        return hides(path) ? NULL : fdopen(open(path, O_RDONLY), mode);
      }

      int open(const char *path, int flags, ...) {
        va_list rest;
        va_start(rest, flags);
        mode_t mode = va_arg(rest, mode_t);
        va_end(rest);
        errno = ENOENT;
        return hides(path) ? -1 : syscall(SYS_openat, AT_FDCWD, path, flags, mode);
      }
      """

    @Test(
      "a program heeds its command line where there is no /proc",
      arguments: ["scened", "scene", "scenectl", "notes", "scene-bench"])
    func arguments(program: String) throws {
      let outcome = try RunningProgram.run(
        program, ["--help"], environment: ["LD_PRELOAD": library, "HIDES_PROC": "1"])
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("--help"))
    }
  }
#endif
