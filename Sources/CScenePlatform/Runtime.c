// A program that contains the Swift runtime asks for its path in /proc before `main`, and aborts if
// it cannot read it. The runtime needs its directory only to find the program for backtraces.
#include "CScenePlatform.h"

#include <stdlib.h>

static const char variable[] = "SWIFT_ROOT";
static int is_set = 0;

#ifdef __linux__
// Initializers with a priority run before those of the runtime.
__attribute__((constructor(101))) static void set_runtime_directory(void) {
  char byte;
  if (getenv(variable) != 0 || readlink("/proc/self/exe", &byte, 1) >= 0) return;
  is_set = setenv(variable, "/", 1) == 0;
}
#endif

void platform_restore_environment(void) {
  if (is_set) unsetenv(variable);
  is_set = 0;
}
