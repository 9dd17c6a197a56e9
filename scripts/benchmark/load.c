// The load generator: one program for all servers, so that the measurements differ only by the
// server. The load generator sends bytes from files and counts replies. The servers speak different
// protocols: --redis, --dbus, or frames with a length.
//
//   load request SOCKET PID --clients N --ms T --frames FILE [--prelude FILE] [--counter MARK]
//                           [--flood FILE [--deaf]]
//   load connect SOCKET PID --ms T --prelude FILE
//   load hold    SOCKET PID --clients N --prelude FILE
//   load start   SOCKET --runs N --prelude FILE -- COMMAND…
//   load command --runs N -- COMMAND…
//   load output  --runs N -- COMMAND…
//
// Each client of `request` has one request in flight. Client i repeats the i-th frame of the file
// and replaces MARK in the frame by an increasing number. The flood is one more client, which sends
// its frames as fast as the socket accepts them. With --deaf, the flood does not read the replies.
// `hold` prints a line when all its clients are connected, and keeps them until its input ends. Each
// client first sends the frames of the prelude and awaits a reply for each. `output` measures the
// time to the first output of the command, and then kills it. Times are in nanoseconds. The CPU time
// is that of all threads of the server.
#include "stream.h"

#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/wait.h>

extern char **environ;

enum { EVENTS = 256, AT_ONCE = 16 };

static struct {
  int clients, runs, milliseconds, is_deaf;
  Protocol protocol;
  const char *counter;
  Bytes prelude, frames, flood;
} options = {.clients = 1, .runs = 1, .milliseconds = 1000};

typedef struct {
  Stream stream;
  Bytes frame;
  char *counter;
  int64_t sent;
} Client;

// MARK: - The server from outside

static int64_t resident_bytes_of(const char *pid) {
  char path[64], line[256];
  snprintf(path, sizeof path, "/proc/%s/status", pid);
  FILE *file = fopen(path, "r");
  long long kibibytes = 0;
  if (file == NULL) die("%s", path);
  while (fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "VmRSS: %lld", &kibibytes) == 1) break;
  fclose(file);
  return kibibytes * 1024;
}

static Stream connected(const char *socket) {
  return greeted(options.protocol, socket, options.prelude);
}

// MARK: - A flood

// Sends as much as the socket accepts. The measuring loop calls this function, so its cost can only
// make the server appear slower.
static void flood(const char *socket) {
  static Stream client = {.descriptor = -1};
  // The end of the last send, so that every frame is sent whole.
  static size_t position;
  if (options.flood.count == 0) return;
  if (client.descriptor < 0) {
    client = connected(socket);
    position = 0;
  }
  ssize_t count = send(client.descriptor, options.flood.bytes + position,
                       options.flood.count - position, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (count > 0) position = (position + (size_t)count) % options.flood.count;
  int is_there = count > 0 || errno == EAGAIN;
  for (int reads = 0; is_there && !options.is_deaf && reads < 16; reads++) {
    count = recv(client.descriptor, input, sizeof input, MSG_DONTWAIT);
    is_there = count > 0 || (count < 0 && errno == EAGAIN);
    if (count < 0) break;
  }
  if (is_there) return;
  // The server closed the connection; the next call connects again.
  close(client.descriptor);
  client.descriptor = -1;
}

// MARK: - request

static void begin(Client *client) {
  static int64_t number = 0;
  if (client->counter != NULL) {
    char digits[32];
    size_t length = strlen(options.counter);
    snprintf(digits, sizeof digits, "%0*lld", (int)length, (long long)++number);
    memcpy(client->counter, digits, length);
  }
  client->sent = nanoseconds();
  send_all(client->stream.descriptor, client->frame);
}

static int by_value(const void *one, const void *other) {
  int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
  return (a > b) - (a < b);
}

static void request(const char *socket, const char *pid) {
  Client *clients = room((size_t)options.clients * sizeof *clients);
  int poller = epoll_create1(EPOLL_CLOEXEC);
  size_t at = 0;
  for (int index = 0; index < options.clients; index++) {
    Client *client = &clients[index];
    client->stream = connected(socket);
    if (at >= options.frames.count) at = 0;
    Bytes rest = {options.frames.bytes + at, options.frames.count - at};
    size_t length = first_length(options.protocol, rest);
    client->frame = (Bytes){room(length), length};
    memcpy(client->frame.bytes, rest.bytes, length);
    at += length;
    if (options.counter != NULL)
      client->counter = memmem(client->frame.bytes, length, options.counter,
                               strlen(options.counter));
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, client->stream.descriptor, &event) != 0) die("epoll_ctl");
  }
  size_t most = 1 << 22, count = 0;
  int64_t *times = room(most * sizeof *times);
  int64_t cpu = 0, start = 0, now = nanoseconds();
  int64_t warm = now + (int64_t)options.milliseconds * 200000, end = 0;
  for (int index = 0; index < options.clients; index++) begin(&clients[index]);
  for (;;) {
    if (start == 0 && now >= warm) {
      cpu = cpu_of(pid);
      start = now = nanoseconds();
      end = start + (int64_t)options.milliseconds * 1000000;
    }
    if (start != 0 && now >= end && count > 0) break;
    flood(socket);
    struct epoll_event events[EVENTS];
    int ready = epoll_wait(poller, events, EVENTS, 60000);
    if (ready <= 0) die("no reply within a minute");
    for (int index = 0; index < ready; index++) {
      Client *client = events[index].data.ptr;
      await(&client->stream, 1);
      now = nanoseconds();
      if (start != 0 && count < most) times[count++] = now - client->sent;
      begin(client);
    }
  }
  cpu = cpu_of(pid) - cpu;
  qsort(times, count, sizeof *times, by_value);
  printf("{\"count\":%zu,\"ns\":%lld,\"cpu\":%lld,\"p50\":%lld,\"p99\":%lld}\n", count,
         (long long)(now - start), (long long)cpu / (long long)count,
         (long long)times[count / 2], (long long)times[count / 100 * 99]);
}

// MARK: - connect, hold

static void connect_again(const char *socket, const char *pid) {
  int64_t end = 0, start = nanoseconds(), cpu = cpu_of(pid);
  size_t count = 0, replies = answers_to(options.protocol, options.prelude);
  while ((end = nanoseconds()) - start < (int64_t)options.milliseconds * 1000000) {
    Stream clients[AT_ONCE];
    for (int index = 0; index < AT_ONCE; index++) {
      clients[index] = (Stream){.descriptor = connect_to(socket), .protocol = options.protocol};
      send_all(clients[index].descriptor, options.prelude);
    }
    for (int index = 0; index < AT_ONCE; index++) await(&clients[index], replies);
    for (int index = 0; index < AT_ONCE; index++) close(clients[index].descriptor);
    count += AT_ONCE;
  }
  cpu = cpu_of(pid) - cpu;
  printf("{\"count\":%zu,\"ns\":%lld,\"cpu\":%lld}\n", count, (long long)(end - start),
         (long long)cpu / (long long)count);
}

static void hold(const char *socket, const char *pid) {
  raise_descriptor_limit();
  // The first connections grow the tables of the server, which are not a cost of each connection.
  for (int index = 0; index < 64; index++) connected(socket);
  usleep(100000);
  int64_t before = resident_bytes_of(pid);
  for (int index = 0; index < options.clients; index++) connected(socket);
  usleep(100000);
  printf("{\"clients\":%d,\"bytes\":%lld}\n", options.clients,
         (long long)(resident_bytes_of(pid) - before) / options.clients);
  fflush(stdout);
  while (read(STDIN_FILENO, input, sizeof input) > 0) continue;
}

// MARK: - start, command, output

// The last started process, which this program ends.
static volatile pid_t started;

static void leave(int signal) {
  if (started > 0) kill(started, SIGKILL);
  _exit(128 + signal);
}

// Starts a command. Its output goes to a descriptor, or is discarded if that is -1.
static pid_t spawn(char **command, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (output < 0) posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  else posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t pid;
  errno = posix_spawnp(&pid, command[0], &actions, NULL, command, environ);
  if (errno != 0) die("%s", command[0]);
  posix_spawn_file_actions_destroy(&actions);
  started = pid;
  return pid;
}

static void print_times(int64_t *times, int count) {
  qsort(times, (size_t)count, sizeof *times, by_value);
  printf("{\"count\":%d,\"p50\":%lld,\"min\":%lld,\"max\":%lld}\n", count,
         (long long)times[count / 2], (long long)times[0], (long long)times[count - 1]);
}

static void start_again(const char *socket, char **command) {
  int64_t *times = room((size_t)options.runs * sizeof *times);
  for (int run = 0; run < options.runs; run++) {
    // The socket of an earlier server may accept a connection that no server answers.
    unlink(socket);
    int64_t start = nanoseconds();
    pid_t pid = spawn(command, -1);
    Stream client = {.protocol = options.protocol};
    while ((client.descriptor = try_connect(socket)) < 0) {
      if (waitpid(pid, NULL, WNOHANG) == pid) die("%s ended before it listened", command[0]);
      sched_yield();
    }
    send_all(client.descriptor, options.prelude);
    await(&client, 1);
    times[run] = nanoseconds() - start;
    close(client.descriptor);
    kill(pid, SIGTERM);
    if (waitpid(pid, NULL, 0) != pid) die("waitpid");
    started = 0;
  }
  print_times(times, options.runs);
}

static void run_again(char **command) {
  int64_t *times = room((size_t)options.runs * sizeof *times);
  for (int run = 0; run < options.runs; run++) {
    int status;
    int64_t start = nanoseconds();
    pid_t pid = spawn(command, -1);
    if (waitpid(pid, &status, 0) != pid) die("waitpid");
    started = 0;
    times[run] = nanoseconds() - start;
    errno = 0;
    if (status != 0) die("%s failed", command[0]);
  }
  print_times(times, options.runs);
}

static void await_output_again(char **command) {
  int64_t *times = room((size_t)options.runs * sizeof *times);
  for (int run = 0; run < options.runs; run++) {
    int ends[2];
    char byte;
    if (pipe2(ends, O_CLOEXEC) != 0) die("pipe2");
    int64_t start = nanoseconds();
    pid_t pid = spawn(command, ends[1]);
    close(ends[1]);
    if (read(ends[0], &byte, 1) != 1) die("%s printed nothing", command[0]);
    times[run] = nanoseconds() - start;
    kill(pid, SIGKILL);
    if (waitpid(pid, NULL, 0) != pid) die("waitpid");
    started = 0;
    close(ends[0]);
  }
  print_times(times, options.runs);
}

// MARK: -

// Reads the options. Returns the index of the command after "--".
static int read_options(int count, char **words, int index) {
  for (; index < count; index++) {
    const char *word = words[index];
    if (strcmp(word, "--") == 0) return index + 1;
    if (read_protocol(word, &options.protocol)) continue;
    if (strcmp(word, "--deaf") == 0) {
      options.is_deaf = 1;
      continue;
    }
    if (index + 1 == count) die("%s needs a value", word);
    const char *value = words[++index];
    if (strcmp(word, "--clients") == 0) options.clients = atoi(value);
    else if (strcmp(word, "--runs") == 0) options.runs = atoi(value);
    else if (strcmp(word, "--ms") == 0) options.milliseconds = atoi(value);
    else if (strcmp(word, "--counter") == 0) options.counter = value;
    else if (strcmp(word, "--prelude") == 0) options.prelude = contents(value);
    else if (strcmp(word, "--frames") == 0) options.frames = contents(value);
    else if (strcmp(word, "--flood") == 0) options.flood = contents(value);
    else die("unknown option %s", word);
  }
  return count;
}

int main(int count, char **words) {
  errno = 0;
  signal(SIGTERM, leave);
  signal(SIGINT, leave);
  const char *command = count > 1 ? words[1] : "";
  if (strcmp(command, "command") == 0) {
    int rest = read_options(count, words, 2);
    if (rest < count) return run_again(words + rest), 0;
  } else if (strcmp(command, "output") == 0) {
    int rest = read_options(count, words, 2);
    if (rest < count) return await_output_again(words + rest), 0;
  } else if (strcmp(command, "start") == 0 && count > 3) {
    int rest = read_options(count, words, 3);
    if (rest < count) return start_again(words[2], words + rest), 0;
  } else if (count > 4) {
    read_options(count, words, 4);
    if (strcmp(command, "request") == 0) return request(words[2], words[3]), 0;
    if (strcmp(command, "connect") == 0) return connect_again(words[2], words[3]), 0;
    if (strcmp(command, "hold") == 0) return hold(words[2], words[3]), 0;
  }
  die("load request|connect|hold SOCKET PID … | start SOCKET … -- … | command|output … -- …");
}
