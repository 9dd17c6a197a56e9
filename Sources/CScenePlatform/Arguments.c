// The command line, as the C library passes it to initializers. Swift's `CommandLine` searches for
// it next to the environment and in /proc. The search fails if a library has moved the environment,
// or if /proc is not mounted.
#include "CScenePlatform.h"

static int argument_count = 0;
static char *const *arguments = 0;

#if defined(__GLIBC__) || defined(__APPLE__)
__attribute__((constructor)) static void keep_arguments(int count, char **words) {
  argument_count = count;
  arguments = words;
}
#endif

int platform_argument_count(void) { return argument_count; }

char *const *platform_arguments(void) { return arguments; }
