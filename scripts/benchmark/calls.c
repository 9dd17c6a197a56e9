// Counts calls of the program that preloads this library (LD_PRELOAD): system calls, calls of
// malloc, which allocates all objects, and the bytes of these calls. On x86-64 it also counts the
// operations of Swift's reference counting. The file in $CALL_COUNTS contains the counts: numbers
// of eight bytes, in the order below.
#define _GNU_SOURCE
#include <fcntl.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { RECV, SEND, EPOLL_WAIT, FDATASYNC, MALLOC, MALLOC_BYTES, OPEN, REFERENCES, FSTAT, KINDS };

// The malloc of the C library.
extern void *__libc_malloc(size_t count);

static _Atomic uint64_t *counts;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("CALL_COUNTS");
  int file = path == NULL ? -1 : open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, KINDS * sizeof *counts) != 0) abort();
  counts = mmap(NULL, KINDS * sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (counts == MAP_FAILED) abort();
  close(file);
}

ssize_t recv(int descriptor, void *bytes, size_t count, int flags) {
  counts[RECV]++;
  return syscall(SYS_recvfrom, descriptor, bytes, count, flags, NULL, NULL);
}

ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
  counts[SEND]++;
  return syscall(SYS_sendto, descriptor, bytes, count, flags, NULL, 0);
}

int epoll_wait(int poller, struct epoll_event *events, int room, int milliseconds) {
  counts[EPOLL_WAIT]++;
  return (int)syscall(SYS_epoll_pwait, poller, events, room, milliseconds, NULL, 8);
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  int mode = flags & O_CREAT ? va_arg(rest, int) : 0;
  va_end(rest);
  if (counts != NULL) counts[OPEN]++;
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

void *malloc(size_t count) {
  // The dynamic linker may call malloc before the constructor runs.
  if (counts != NULL) {
    counts[MALLOC]++;
    counts[MALLOC_BYTES] += count;
  }
  return __libc_malloc(count);
}

int fdatasync(int descriptor) {
  counts[FDATASYNC]++;
  return (int)syscall(SYS_fdatasync, descriptor);
}

int fstat(int descriptor, struct stat *status) {
  if (counts != NULL) counts[FSTAT]++;
  return fstatat(descriptor, "", status, AT_EMPTY_PATH);
}

#if defined(__x86_64__)
// The reference counting of the Swift runtime. On other processors these functions have a calling
// convention that not every C compiler has.
#define COUNTED(RESULT, NAME, PARAMETERS, ...)                        \
  RESULT NAME PARAMETERS {                                            \
    static RESULT(*next) PARAMETERS;                                  \
    if (next == NULL) next = (RESULT(*) PARAMETERS)dlsym(RTLD_NEXT, #NAME); \
    if (counts != NULL) counts[REFERENCES]++;                         \
    return next(__VA_ARGS__);                                         \
  }
COUNTED(void *, swift_retain, (void *object), object)
COUNTED(void, swift_release, (void *object), object)
COUNTED(void *, swift_retain_n, (void *object, uint32_t count), object, count)
COUNTED(void, swift_release_n, (void *object, uint32_t count), object, count)
COUNTED(void *, swift_bridgeObjectRetain, (void *object), object)
COUNTED(void, swift_bridgeObjectRelease, (void *object), object)
#endif
