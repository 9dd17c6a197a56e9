// How a program is started beside this one that ends with it. `posix_spawn` cannot ask for that, and
// Swift has no `vfork`.
#ifndef COMPANION_H
#define COMPANION_H

#if defined(__linux__)

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

// Starts a program that is sent `death` when the thread that started it ends, however that comes.
// It keeps what this process was given, ignored signals too, but for the blocked mask and for
// SIGPIPE and SIGXFSZ, which this process has had ignored.
//
// Until it has its program the child lives in its parent's memory, on its stack, while the parent's
// thread waits; other threads go on, and may hold any lock. So between `vfork` and `execve` there
// are system calls only, on what was made ready before: no allocation, no Swift, nothing of the C
// library that locks, no return; and nothing is written but `code`, which the parent reads.
static inline int platform_spawn_companion(const char *path, char *const words[],
                                           char *const variables[], int death, pid_t *child) {
  volatile int code = 0;
  pid_t parent = getpid();
  struct sigaction standard = {.sa_handler = SIG_DFL};
  sigset_t none;
  sigemptyset(&none);
  pid_t made = vfork();
  if (made == 0) {
    // A parent that died before this was asked for will not die again.
    if (prctl(PR_SET_PDEATHSIG, (long)death) != 0 || getppid() != parent) _exit(128 + death);
    sigaction(SIGPIPE, &standard, 0);
    sigaction(SIGXFSZ, &standard, 0);
    sigprocmask(SIG_SETMASK, &none, 0);
    execve(path, words, variables);
    code = errno;
    _exit(127);
  }
  if (made < 0) return errno;
  if (code != 0) {
    waitpid(made, 0, 0);
    return code;
  }
  *child = made;
  return 0;
}

#endif
#endif
