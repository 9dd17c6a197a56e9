// A signal handler that writes the number of the signal to a pipe. A handler interrupts code at any
// place, so it can call only a few functions: `write` is one of them.
#include "CScenePlatform.h"

#include <errno.h>

static volatile int signal_pipe = -1;

static void write_signal(int number) {
  int before = errno;
  unsigned char byte = (unsigned char)number;
  // A full pipe already holds unread signals.
  (void)!write(signal_pipe, &byte, 1);
  errno = before;
}

void platform_set_signal_pipe(int descriptor) { signal_pipe = descriptor; }

int platform_catch_signal(int number) {
  struct sigaction action = {0};
  action.sa_handler = write_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  return sigaction(number, &action, 0);
}
