import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

#if os(Linux)
  /// Errors of system calls, and a system without `/proc`, from a library between the program and
  /// the system.
  @Suite(.preload)
  struct SystemErrorTests {
    private let workplace: Workplace
    private let library: String

    init() throws {
      workplace = try Workplace()
      library = try PreloadedLibrary.compile(
        workplace.write("errors.c", Self.source), in: workplace)
    }

    /// `ACCEPT_ERRORS` are error numbers. With `KILL_FAILS`, no process can be signalled by its
    /// number. The directory `NO_LOCKS` cannot be locked. `HIDES_PROC` hides `/proc`.
    /// `FORBIDS_FALLOCATE` makes `fallocate` fail. While the file in `HOLDS_SEND` exists, a send
    /// waits, and creates a file with the ending `.held`. The first `SEND_ERRORS` sends fail with
    /// ENOBUFS.
    private static let source = """
      #define _GNU_SOURCE
      #include <errno.h>
      #include <fcntl.h>
      #include <stdarg.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      #include <sys/socket.h>
      #include <sys/syscall.h>
      #include <unistd.h>

      // Each error removes one client from the queue.
      int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags) {
        static const char *rest;
        if (rest == NULL) rest = getenv("ACCEPT_ERRORS");
        if (rest != NULL && *rest != 0) {
          char *end;
          long number = strtol(rest, &end, 10);
          int client = syscall(SYS_accept4, listener, address, length, flags);
          if (client < 0) return client;
          close(client);
          rest = end;
          errno = number;
          return -1;
        }
        return syscall(SYS_accept4, listener, address, length, flags);
      }

      ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
        static long errors = -1;
        if (errors < 0) errors = getenv("SEND_ERRORS") == NULL ? 0 : atol(getenv("SEND_ERRORS"));
        if (errors > 0) {
          errors -= 1;
          errno = ENOBUFS;
          return -1;
        }
        const char *hold = getenv("HOLDS_SEND");
        if (hold != NULL && access(hold, F_OK) == 0) {
          char held[4096];
          snprintf(held, sizeof held, "%s.held", hold);
          close(creat(held, 0600));
          while (access(hold, F_OK) == 0) usleep(1000);
        }
        return syscall(SYS_sendto, descriptor, bytes, count, flags, NULL, 0);
      }

      int kill(pid_t process, int signal) {
        errno = EPERM;
        return getenv("KILL_FAILS") != NULL ? -1 : syscall(SYS_kill, process, signal);
      }

      int flock(int descriptor, int operation) {
        char link[64], path[4096] = "";
        const char *unlockable = getenv("NO_LOCKS");
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        if (unlockable != NULL && readlink(link, path, sizeof path - 1) > 0
            && strcmp(path, unlockable) == 0) {
          errno = ENOLCK;
          return -1;
        }
        return syscall(SYS_flock, descriptor, operation);
      }

      int fallocate64(int file, int mode, off64_t start, off64_t length) {
        if (getenv("FORBIDS_FALLOCATE") == NULL) {
          return syscall(SYS_fallocate, file, mode, start, length);
        }
        errno = EPERM;
        return -1;
      }

      int fallocate(int file, int mode, off_t start, off_t length) {
        return fallocate64(file, mode, start, length);
      }

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

    private func daemon(_ name: String, _ value: String) throws -> Daemon {
      try Daemon(workplace, environment: ["LD_PRELOAD": library, name: value])
    }

    @Test("an error of one client that is accepted ends neither the broker nor another client")
    func accepting() throws {
      // EPERM, EIO, ENODEV, EPROTO, ENETDOWN, ECONNABORTED, EHOSTUNREACH
      let daemon = try daemon("ACCEPT_ERRORS", "1 5 19 71 100 103 113")
      let failing = try (0..<7).map { _ in try daemon.connect() }
      for client in failing { #expect(try client.next() == nil) }
      try daemon.connect().initialize()
      #expect(try daemon.stop().isSuccess)
      #expect(
        try daemon.program.everythingOnErrors().contains(
          "cannot accept a connection: accept: Operation not permitted"))
    }

    @Test("on a file system without locks, scened names the path and the option for another one")
    func withoutLocks() throws {
      let outcome = try RunningProgram.run(
        "scened", workplace.words,
        environment: ["LD_PRELOAD": library, "NO_LOCKS": workplace.state])
      #expect(
        outcome.errors
          == "scened: error: cannot lock \(workplace.state): No locks available; choose a path on another "
          + "file system with --state\n")
      #expect(outcome.code == 74)
    }

    @Test("the broker keeps the last save of a client that exits while the broker sends to it")
    func lastSave() throws {
      let hold = workplace.file("hold")
      let daemon = try daemon("HOLDS_SEND", hold)
      let control = try daemon.client(as: .control)
      var client: WireClient? = try daemon.connect()
      try client?.initialize()
      let session = try #require(try client?.request(SceneConnect(name: "packing"))).session
      try client?.callback(.didBecomeActive)
      _ = try client?.request(Ping())
      _ = try workplace.write("hold", "")
      try client?.send(Ping())
      try eventually("the broker sends", polling: .files) {
        try Directory.list(workplace.path).contains("hold.held")
      }
      try client?.send(SaveActivity(session: session, activity: .numbered(7)))
      client = nil
      try File.remove(hold)
      try eventually("the client is gone", polling: .broker) {
        try control.request(ApplicationStatus()).connections == 1
      }
      let shown = try control.request(SessionShow(session: session))
      #expect(shown.sceneSession.stateRestorationActivity == .numbered(7))
    }

    @Test("the broker signals the process that it means, not the number of that process")
    func signalledProcess() throws {
      let daemon = try daemon("KILL_FAILS", "1")
      let scene = try daemon.scene("packing", "--json")
      try daemon.scenectl("kill", "packing")
      #expect(try scene.reap() == .signalled(.kill))
    }

    @Test(
      "a client sends again while the kernel lacks memory",
      arguments: [["scenectl", "status"], ["scene", "packing", "--json"]])
    func sendingAgain(words: [String]) throws {
      let daemon = try Daemon(workplace)
      let environment = [
        "SCENE_SOCKET": daemon.socket, "LD_PRELOAD": library, "SEND_ERRORS": "3",
      ]
      let client = try RunningProgram(
        words[0], Array(words.dropFirst()), environment: environment)
      if words[0] == "scene" {
        try client.line(containing: "didBecomeActive")
        client.closeInput()
      } else {
        #expect(try client.reap() == .exited(0))
      }
    }

    @Test("a control reports the error if the kernel finds no memory in time")
    func cannotSend() throws {
      let daemon = try Daemon(workplace)
      let outcome = try daemon.run(
        "scenectl", ["status"],
        environment: [
          "LD_PRELOAD": library, "SEND_ERRORS": "1000",
        ])
      #expect(outcome.code == 74)
      #expect(outcome.errors == "scenectl: send: No buffer space available\n")
    }

    @Test("a broker writes zeros where a filter of system calls forbids to allocate")
    func forbiddenAllocation() throws {
      let daemon = try daemon("FORBIDS_FALLOCATE", "1")
      try daemon.connect().initialize()
      #expect(try daemon.stop().isSuccess)
    }

    @Test(
      "a program reads its command line without /proc",
      arguments: ["scened", "scene", "scenectl", "notes", "scene-bench"])
    func arguments(program: String) throws {
      let outcome = try RunningProgram.run(
        program, ["--help"], environment: ["LD_PRELOAD": library, "HIDES_PROC": "1"])
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("--help"))
    }
  }
#endif
