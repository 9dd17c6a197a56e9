// System functions that Swift's modules for the C library do not export. This header has only
// declarations and `static inline` functions of a few lines. The one longer function is in Spawn.h.
// The only state is the command line, in Arguments.c, and the pipe of the signal handler, in
// Signals.c.
//
// This header must not define _GNU_SOURCE, because the macro changes `fd_set` and other types that
// Swift's Glibc module has already imported. Functions that need the macro are declared here with
// new names, which resolve to the library's symbols.
#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

// The user, group and process at the other end of a Unix-domain socket.
struct platform_peer {
  int32_t process;
  uint32_t user;
  uint32_t group;
};

// Whether this process ignores the signal. Swift cannot compare signal handlers.
static inline int platform_is_ignored(int signal) {
  struct sigaction now;
  if (sigaction(signal, 0, &now) != 0 || now.sa_flags & SA_SIGINFO) return 0;
  return now.sa_handler == SIG_IGN;
}

// Sets the descriptor that caught signals are written to, one byte for each.
void platform_set_signal_pipe(int descriptor);

// Writes this signal to the descriptor from now on, whichever thread receives it. Returns -1 for an
// error.
int platform_catch_signal(int number);

/// Removes the variable that an initializer of this process set for the Swift runtime.
void platform_restore_environment(void);

// The number of arguments, and the arguments with the program's name; 0 and null if the C library
// passes none to initializers.
int platform_argument_count(void);
char *const *platform_arguments(void);

// The value of a resource without a limit. Swift cannot import this macro.
static inline rlim_t platform_no_limit(void) { return RLIM_INFINITY; }

// Makes standard output line-buffered, even for a file or a pipe. Swift 6 rejects the variable
// stdout.
static inline void platform_print_lines(void) { setvbuf(stdout, 0, _IOLBF, 0); }

// The exit status or the signal of a child's state change. Swift cannot import this macro.
static inline int platform_child_status(const siginfo_t *change) { return change->si_status; }

// Reports how a child ended, without reaping it. Returns 1 if the child has ended, 0 while it runs,
// and -1 if it is no child. Swift cannot import the members of siginfo_t, which are macros.
static inline int platform_peek_end(pid_t pid, int *is_signal, int *status) {
  siginfo_t end;
  end.si_pid = 0;
  if (waitid(P_PID, (id_t)pid, &end, WEXITED | WNOHANG | WNOWAIT) != 0) return -1;
  if (end.si_pid == 0) return 0;
  *is_signal = end.si_code != CLD_EXITED;
  *status = end.si_status;
  return 1;
}

#if defined(__GLIBC__)
extern int platform_malloc_trim(size_t) __asm__("malloc_trim");
static inline void platform_return_memory(void) { platform_malloc_trim(0); }
// The parameters are M_MMAP_THRESHOLD and M_TRIM_THRESHOLD of <malloc.h>.
extern int platform_mallopt(int, int) __asm__("mallopt");
static inline void platform_keep_memory(void) {
  platform_mallopt(-3, 4 << 20);
  platform_mallopt(-1, 16 << 20);
}
#else
static inline void platform_return_memory(void) {}
static inline void platform_keep_memory(void) {}
#endif

#if defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>

extern int platform_accept4(int, struct sockaddr *, socklen_t *, int) __asm__("accept4");
extern int platform_pipe2(int[2], int) __asm__("pipe2");
extern int platform_fallocate(int, int, off_t, off_t) __asm__("fallocate");
extern int platform_pthread_setname(pthread_t, const char *) __asm__("pthread_setname_np");

// Seeks to the next data of a sparse file. SEEK_DATA (3) needs _GNU_SOURCE too.
static inline off_t platform_seek_written(int descriptor, off_t offset) {
  return lseek(descriptor, offset, 3);
}

extern int platform_statx(int, const char *, int, unsigned, struct statx *) __asm__("statx");
struct platform_identity {
  uint64_t device, inode, size;
};
// Reads the identity and size of a name in a directory, and not its times; -1 for an error.
static inline int platform_identity(int directory, const char *name,
                                    struct platform_identity *identity) {
  struct statx status;
  if (platform_statx(directory, name, AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_SIZE, &status) != 0)
    return -1;
  identity->device = makedev(status.stx_dev_major, status.stx_dev_minor);
  identity->inode = status.stx_ino;
  identity->size = status.stx_size;
  return 0;
}

extern char **environ;
static inline char **platform_environment(void) { return environ; }

static inline int platform_peer_credentials(int descriptor, struct platform_peer *peer) {
  socklen_t length = sizeof *peer; // The kernel's struct ucred has exactly these three members.
  return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, peer, &length);
}

// Opens a descriptor for the process at the other end. SO_PEERPIDFD (77) is in the headers since
// Linux 6.5.
static inline int platform_peer_process(int descriptor) {
  int process = -1;
  socklen_t length = sizeof process;
  return getsockopt(descriptor, SOL_SOCKET, 77, &process, &length) == 0 ? process : -1;
}

// Opens a descriptor for the process that has this number now.
static inline int platform_open_process(int number) {
  return (int)syscall(SYS_pidfd_open, number, 0);
}

// Sends a signal to the process of such a descriptor; an error if the process was reaped. Signal 0
// only looks.
static inline int platform_signal_process(int process, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, process, signal, 0, 0);
}

// Reads how the process of such a descriptor ended, as waitpid reports it; -1 before its parent has
// waited for it, and before Linux 6.15.
static inline int platform_process_end(int process, int *status) {
  // The first version of the kernel's struct pidfd_info. Bit 3 of the mask is the exit.
  struct {
    uint64_t mask, cgroup;
    uint32_t identifiers[11];
    int32_t status;
  } info = {.mask = 8};
  if (ioctl(process, _IOWR(0xFF, 11, info), &info) != 0 || !(info.mask & 8)) return -1;
  *status = info.status;
  return 0;
}

// Landlock, which the headers of older systems lack. Their system calls have the same numbers on all
// machines.

// The version of the kernel's Landlock; -1 without one.
static inline int platform_landlock_version(void) { return (int)syscall(444, NULL, 0, 1); }

// Makes a set of rules for these rights on files and on the network.
static inline int platform_landlock_ruleset(uint64_t files, uint64_t network) {
  uint64_t attributes[] = {files, network};
  return (int)syscall(444, attributes, sizeof attributes, 0);
}

// Opens a file or a directory only as a place (O_PATH).
static inline int platform_open_place(const char *path) {
  return open(path, 010000000 | O_CLOEXEC);
}

// A file in memory, close-on-exec.
// Some systems require the second flag, that it contains no program; others do not know that flag.
static inline int platform_memory_file(void) {
  int file = (int)syscall(SYS_memfd_create, "scene", 1 | 8);
  return file >= 0 || errno != EINVAL ? file : (int)syscall(SYS_memfd_create, "scene", 1);
}

// The path that the kernel got for this program; NULL if it is unknown.
static inline const char *platform_started_path(void) {
  return (const char *)getauxval(AT_EXECFN);
}

// Allows rights on an open file, or on everything in an open directory.
static inline int platform_landlock_allow(int ruleset, uint64_t rights, int file) {
  struct __attribute__((packed)) {
    uint64_t rights;
    int32_t file;
  } rule = {rights, file};
  return (int)syscall(445, ruleset, 1, &rule, 0);
}

// Restricts this thread and the threads that it starts.
static inline int platform_landlock_restrict(int ruleset) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return (int)syscall(446, ruleset, 0);
}

// The number of processors that this thread may use, up to 8192; 0 if it is unknown. glibc needs
// _GNU_SOURCE for the call.
static inline int platform_usable_processors(void) {
  unsigned long mask[1024 / sizeof(long)];
  long size = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
  int count = 0;
  for (long word = 0; word < size / (long)sizeof(long); word++)
    count += __builtin_popcountl(mask[word]);
  return count;
}

static inline int platform_epoll_control(int poller, int operation, int descriptor, uint32_t events,
                                     uint64_t token) {
  struct epoll_event event = {.events = events, .data = {.u64 = token}};
  return epoll_ctl(poller, operation, descriptor, &event);
}

// Opens a descriptor that becomes readable at each interval; -1 for an error.
static inline int platform_interval_timer(int milliseconds) {
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  struct timespec interval = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  struct itimerspec times = {interval, interval};
  if (timer >= 0) timerfd_settime(timer, 0, &times, 0);
  return timer;
}

// Opens a new terminal. Returns the end of the process that shows it, and sets the end of the
// program; -1 for an error. The calls of POSIX need _GNU_SOURCE.
static inline int platform_open_terminal(int *program) {
  int unlocked = 0;
  int shown = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (shown < 0) return -1;
  if (ioctl(shown, TIOCSPTLCK, &unlocked) == 0)
    *program = ioctl(shown, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (*program >= 0) return shown;
  int code = errno;
  close(shown);
  errno = code;
  return -1;
}

// Makes orphaned descendants children of this process, and not of init.
static inline int platform_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1L); }

#elif defined(__APPLE__)

#include <crt_externs.h>
#include <mach-o/dyld.h>
#include <sys/event.h>
#include <sys/sysctl.h>
#include <sys/un.h>

static inline char **platform_environment(void) { return *_NSGetEnviron(); }

static inline int platform_peer_credentials(int descriptor, struct platform_peer *peer) {
  uid_t user;
  gid_t group;
  if (getpeereid(descriptor, &user, &group) != 0) return -1;
  pid_t process = 0;
  socklen_t length = sizeof process;
  if (getsockopt(descriptor, SOL_LOCAL, LOCAL_PEERPID, &process, &length) != 0) return -1;
  peer->process = process;
  peer->user = user;
  peer->group = group;
  return 0;
}

#endif

// CRC-32C (Castagnoli) by a processor instruction. Call it only if platform_has_crc32c returns 1.
#if defined(__x86_64__)

#include <cpuid.h>

static inline int platform_has_crc32c(void) {
  unsigned a, b, c = 0, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2);
}

__attribute__((target("sse4.2"))) static inline uint32_t
platform_crc32c(uint32_t crc, const uint8_t *bytes, size_t count) {
  uint64_t state = crc, word;
  for (; count >= 8; bytes += 8, count -= 8) {
    __builtin_memcpy(&word, bytes, 8);
    state = __builtin_ia32_crc32di(state, word);
  }
  crc = (uint32_t)state;
  for (; count > 0; bytes++, count--) crc = __builtin_ia32_crc32qi(crc, *bytes);
  return crc;
}

#elif defined(__aarch64__)

#if defined(__APPLE__)
static inline int platform_has_crc32c(void) { return 1; }
#else
#include <sys/auxv.h>
static inline int platform_has_crc32c(void) { return (getauxval(AT_HWCAP) & 1 << 7) != 0; }
#endif

__attribute__((target("crc"))) static inline uint32_t
platform_crc32c(uint32_t crc, const uint8_t *bytes, size_t count) {
  uint64_t word;
  for (; count >= 8; bytes += 8, count -= 8) {
    __builtin_memcpy(&word, bytes, 8);
    crc = __builtin_arm_crc32cd(crc, word);
  }
  for (; count > 0; bytes++, count--) crc = __builtin_arm_crc32cb(crc, *bytes);
  return crc;
}

#else

static inline int platform_has_crc32c(void) { return 0; }

static inline uint32_t platform_crc32c(uint32_t crc, const uint8_t *bytes, size_t count) {
  return crc;
}

#endif
#endif
