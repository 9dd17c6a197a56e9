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

// A descriptor that the program gets under a number of its own.
struct platform_move {
  int from;
  int to;
};

// What a program is started with.
struct platform_companion {
  const char *path;
  char *const *words;
  char *const *variables;
  // Sent to it when the thread that started it ends, however that comes.
  int death;
  // Whether it leads a process group of its own, and the terminal whose keys go there from the
  // start; -1 for none.
  int leads;
  int terminal;
  // None of them is from a number that another one is to.
  const struct platform_move *moves;
  int move_count;
};

// Starts a program. It keeps what this process was given, ignored signals too, but for the blocked
// mask and for SIGPIPE and SIGXFSZ, which this process has had ignored.
//
// Until it has its program the child lives in its parent's memory, on its stack, while the parent's
// thread waits; other threads go on, and may hold any lock. So between `vfork` and `execve` there
// are system calls only, on what was made ready before: no allocation, no Swift, nothing of the C
// library that locks, no return; and nothing is written but `code`, which the parent reads.
static inline int platform_spawn_companion(const struct platform_companion *plan, pid_t *child) {
  volatile int code = 0;
  pid_t parent = getpid();
  struct sigaction standard = {.sa_handler = SIG_DFL};
  sigset_t all, none, before;
  sigfillset(&all);
  sigemptyset(&none);
  // A process of the background may take a terminal only where what would stop it is blocked.
  sigprocmask(SIG_SETMASK, &all, &before);
  pid_t made = vfork();
  if (made == 0) {
    // A parent that died before this was asked for will not die again.
    if (prctl(PR_SET_PDEATHSIG, (long)plan->death) != 0 || getppid() != parent)
      _exit(128 + plan->death);
    if (plan->leads) setpgid(0, 0);
    if (plan->terminal >= 0) tcsetpgrp(plan->terminal, getpid());
    for (int i = 0; i < plan->move_count; i++) {
      if (dup2(plan->moves[i].from, plan->moves[i].to) >= 0) continue;
      code = errno;
      _exit(127);
    }
    sigaction(SIGPIPE, &standard, 0);
    sigaction(SIGXFSZ, &standard, 0);
    sigprocmask(SIG_SETMASK, &none, 0);
    execve(plan->path, plan->words, plan->variables);
    code = errno;
    _exit(127);
  }
  int failure = made < 0 ? errno : code;
  sigprocmask(SIG_SETMASK, &before, 0);
  if (made < 0) return failure;
  if (failure != 0) {
    waitpid(made, 0, 0);
    return failure;
  }
  *child = made;
  return 0;
}

#endif
#endif
