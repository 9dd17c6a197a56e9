// Functions of the limit server and the load generator. Each function ends the program if it fails,
// because a failed measurement has no result.
#ifndef LIMIT_COMMON_H
#define LIMIT_COMMON_H

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  char *bytes;
  size_t count;
} Bytes;

__attribute__((noreturn, format(printf, 1, 2))) static inline void die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  if (errno != 0) fprintf(stderr, ": %s", strerror(errno));
  fputc('\n', stderr);
  exit(1);
}

static inline void *room(size_t count) {
  void *memory = calloc(1, count == 0 ? 1 : count);
  if (memory == NULL) die("out of memory");
  return memory;
}

static inline int64_t nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static inline void raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) die("getrlimit");
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) die("setrlimit");
}

static inline struct sockaddr_un address_of(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) die("socket path too long: %s", path);
  strcpy(address.sun_path, path);
  return address;
}

// Returns a connection, or -1 if no server listens at the path.
static inline int try_connect(const char *path) {
  struct sockaddr_un address = address_of(path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) die("socket");
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  int reason = errno;
  close(descriptor);
  errno = reason;
  return -1;
}

// The socket file exists shortly before the server listens.
static inline int connect_to(const char *path) {
  int descriptor;
  for (int tries = 0; (descriptor = try_connect(path)) < 0 && errno == ECONNREFUSED; tries++) {
    if (tries == 1000) break;
    usleep(1000);
  }
  if (descriptor < 0) die("connect %s", path);
  return descriptor;
}

static inline Bytes contents(const char *path) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0) die("open %s", path);
  Bytes file = {room((size_t)status.st_size), (size_t)status.st_size};
  size_t done = 0;
  while (done < file.count) {
    ssize_t count = read(descriptor, file.bytes + done, file.count - done);
    if (count <= 0) die("read %s", path);
    done += (size_t)count;
  }
  close(descriptor);
  return file;
}

static inline void send_all(int descriptor, Bytes message) {
  size_t done = 0;
  while (done < message.count) {
    ssize_t count = send(descriptor, message.bytes + done, message.count - done, MSG_NOSIGNAL);
    if (count < 0) die("send");
    done += (size_t)count;
  }
}

static inline int64_t first_number_in(const char *path) {
  FILE *file = fopen(path, "r");
  long long number = 0;
  if (file != NULL) {
    if (fscanf(file, "%lld", &number) != 1) number = 0;
    fclose(file);
  }
  return number;
}

// Returns the CPU time of all threads of a process in nanoseconds.
static inline int64_t cpu_of(const char *pid) {
  char path[512];
  snprintf(path, sizeof path, "/proc/%s/task", pid);
  DIR *tasks = opendir(path);
  if (tasks == NULL) die("%s", path);
  int64_t total = 0;
  for (struct dirent *task; (task = readdir(tasks)) != NULL;) {
    if (task->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "/proc/%s/task/%s/schedstat", pid, task->d_name);
    total += first_number_in(path);
  }
  closedir(tasks);
  return total;
}

// Returns the length in a frame's header. The length does not include the header.
static inline size_t frame_length(const char *header) {
  const unsigned char *bytes = (const unsigned char *)header;
  return (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
}

#endif
