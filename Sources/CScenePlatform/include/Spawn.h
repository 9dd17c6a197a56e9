// Starts a program with settings that `posix_spawn` lacks: the parent-death signal, the foreground
// group of a terminal and resource limits. Swift has no `vfork`.
#ifndef SPAWN_H
#define SPAWN_H

#if defined(__linux__)

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

// A descriptor of this process, and its number in the program.
struct platform_move {
  int from;
  int to;
};

// The settings of a new program.
struct platform_spawn_plan {
  const char *path;
  char *const *words;
  // The command of a shell that runs `path`, if the kernel cannot.
  char *const *shell_words;
  char *const *variables;
  // The working directory; null for the parent's.
  const char *directory;
  // The kernel sends this signal to the program when the starting thread ends, even by SIGKILL;
  // 0 for none.
  int death;
  // The process group of the program: 0 for a new one, -1 for the parent's. The terminal whose
  // foreground group a new one becomes; -1 for none.
  int group;
  int terminal;
  // Whether signals that this process ignores have their default action in the program.
  int resets_signals;
  // The soft limit of open descriptors; 0 for the parent's limit.
  rlim_t descriptor_limit;
  // The soft limit of core files; 0 for the parent's limit.
  rlim_t core_limit;
  // No `from` equals the `to` of another move.
  const struct platform_move *moves;
  int move_count;
  // The program gets no descriptor from this number on, and below it only 0, 1, 2 and those of the
  // moves.
  int closes_from;
};

// Sets the descriptors and the limits of a child between `vfork` and `execve`. Returns 0 or an error
// code.
static inline int platform_set_up_descriptors(const struct platform_spawn_plan *plan) {
  for (int i = 0; i < plan->move_count; i++) {
    if (dup2(plan->moves[i].from, plan->moves[i].to) < 0) return errno;
  }
  for (int number = 3; number < plan->closes_from; number++) {
    int i = 0;
    while (i < plan->move_count && plan->moves[i].to != number) i++;
    if (i == plan->move_count) close(number);
  }
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return errno;
  // Linux before 5.9 has no close_range.
  if (syscall(SYS_close_range, (unsigned)plan->closes_from, ~0u, 0u) != 0) {
    for (rlim_t number = (rlim_t)plan->closes_from; number < limit.rlim_cur; number++)
      close((int)number);
  }
  if (plan->descriptor_limit != 0 && plan->descriptor_limit < limit.rlim_cur) {
    limit.rlim_cur = plan->descriptor_limit;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return errno;
  }
  if (plan->core_limit != 0) {
    if (getrlimit(RLIMIT_CORE, &limit) != 0) return errno;
    limit.rlim_cur = plan->core_limit;
    if (setrlimit(RLIMIT_CORE, &limit) != 0) return errno;
  }
  return 0;
}

// Starts a program. The program has no blocked signals. SIGPIPE and SIGXFSZ, which this process
// ignores, have their default action in the program.
//
// Until `execve` the child runs in the parent's memory, on the stack of the starting thread, which
// waits. Other threads continue and can hold any lock. So the child makes only system calls, with
// data that was prepared before `vfork`. It must not allocate memory, run Swift code, call a C
// function that locks, or return. It writes only to `code`, which the parent reads.
static inline int platform_spawn(const struct platform_spawn_plan *plan, pid_t *child) {
  volatile int code = 0;
  pid_t parent = getpid();
  struct sigaction standard = {.sa_handler = SIG_DFL};
  sigset_t all, none, before;
  sigfillset(&all);
  sigemptyset(&none);
  // A background process can take a terminal only while the signal that would stop it is blocked.
  sigprocmask(SIG_SETMASK, &all, &before);
  pid_t made = vfork();
  if (made == 0) {
    if (plan->death != 0) {
      // Some sandboxes refuse the call. The program then starts without this signal.
      prctl(PR_SET_PDEATHSIG, (long)plan->death);
      // The parent can have ended before the call. Then the kernel sends no signal.
      if (getppid() != parent) _exit(128 + plan->death);
    }
    if (plan->group >= 0) setpgid(0, plan->group);
    if (plan->terminal >= 0) tcsetpgrp(plan->terminal, getpid());
    if (plan->directory && chdir(plan->directory) != 0) {
      code = errno;
      _exit(127);
    }
    int failure = platform_set_up_descriptors(plan);
    if (failure != 0) {
      code = failure;
      _exit(127);
    }
    sigaction(SIGPIPE, &standard, 0);
    sigaction(SIGXFSZ, &standard, 0);
    // Some calls fail: the C library reserves two signals, and the system refuses KILL and STOP.
    for (int number = 1; plan->resets_signals && number < 65; number++)
      sigaction(number, &standard, 0);
    sigprocmask(SIG_SETMASK, &none, 0);
    execve(plan->path, plan->words, plan->variables);
    // A script without a first line "#!".
    if (errno == ENOEXEC) execve(plan->shell_words[0], plan->shell_words, plan->variables);
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
