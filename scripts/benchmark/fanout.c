// Measures events: one client posts, and every observer gets each event.
//
//   fanout SOCKET PID --observers N --in-flight K --ms T --observe FILE [--poster FILE] --post FILE
//          [--redis]
//
// Each observer first sends the frames of --observe, and the poster those of --poster. Both await a
// reply for each frame. Then the poster sends the frame of --post again and again. An event is in
// flight until as many deliveries have arrived as there are observers. The CPU time is that of all
// threads of the server for one delivery, in nanoseconds.
#include "common.h"

#include <sys/epoll.h>

enum { INPUT = 1 << 16, EVENTS = 1024, LINES_OF_SUBSCRIBE = 6, LINES_OF_MESSAGE = 7 };

static struct {
  int observers, in_flight, milliseconds, is_redis;
  Bytes observe, poster, post;
} options = {.observers = 1, .in_flight = 1, .milliseconds = 1000};

typedef struct {
  int descriptor;
  size_t missing, header_count, lines;
  char header[4];
} Client;

static char input[INPUT];

// MARK: - Counting

// Returns the number of frames that end in the bytes.
static size_t frames_in(Client *client, const char *bytes, size_t count) {
  size_t frames = 0;
  while (count > 0) {
    if (client->missing == 0) {
      client->header[client->header_count++] = *bytes++;
      count--;
      if (client->header_count < 4) continue;
      client->header_count = 0;
      client->missing = frame_length(client->header);
    }
    size_t taken = count < client->missing ? count : client->missing;
    client->missing -= taken;
    bytes += taken;
    count -= taken;
    if (client->missing == 0 && taken > 0) frames++;
  }
  return frames;
}

// Returns the number of messages of redis that end in the bytes. Each has the same number of lines.
static size_t messages_in(Client *client, const char *bytes, size_t count, size_t line_count) {
  for (size_t index = 0; index < count; index++) client->lines += bytes[index] == '\n';
  size_t messages = client->lines / line_count;
  client->lines %= line_count;
  return messages;
}

// Receives what the socket has, or waits for something. Returns the number of messages.
static size_t receive(Client *client, size_t line_count) {
  ssize_t count = recv(client->descriptor, input, sizeof input, 0);
  if (count <= 0) die("the server closed the connection");
  return options.is_redis ? messages_in(client, input, (size_t)count, line_count)
                          : frames_in(client, input, (size_t)count);
}

static Client greeted(const char *socket, Bytes prelude, size_t line_count) {
  Client client = {.descriptor = connect_to(socket)};
  size_t replies = 0;
  if (options.is_redis)
    replies = prelude.count > 0;
  else
    for (size_t at = 0; at < prelude.count; at += 4 + frame_length(prelude.bytes + at)) replies++;
  send_all(client.descriptor, prelude);
  for (size_t received = 0; received < replies;) received += receive(&client, line_count);
  return client;
}

// MARK: - Posting

static Bytes repeated(Bytes frame, int times) {
  Bytes all = {room(frame.count * (size_t)times), frame.count * (size_t)times};
  for (int index = 0; index < times; index++)
    memcpy(all.bytes + (size_t)index * frame.count, frame.bytes, frame.count);
  return all;
}

static void watch(int poller, Client *client) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
  if (epoll_ctl(poller, EPOLL_CTL_ADD, client->descriptor, &event) != 0) die("epoll_ctl");
}

static void measure(const char *socket, const char *pid) {
  int poller = epoll_create1(EPOLL_CLOEXEC);
  Client *observers = room((size_t)options.observers * sizeof *observers);
  for (int index = 0; index < options.observers; index++) {
    observers[index] = greeted(socket, options.observe, LINES_OF_SUBSCRIBE);
    watch(poller, &observers[index]);
  }
  Client poster = greeted(socket, options.poster, 1);
  watch(poller, &poster);
  Bytes posts = repeated(options.post, options.in_flight);

  size_t posted = 0, delivered = 0, before = 0, observer_count = (size_t)options.observers;
  int64_t cpu = 0, start = 0, now = nanoseconds();
  int64_t warm = now + (int64_t)options.milliseconds * 200000, end = 0;
  for (;;) {
    size_t missing = (size_t)options.in_flight - (posted - delivered / observer_count);
    if (missing > 0) {
      send_all(poster.descriptor, (Bytes){posts.bytes, missing * options.post.count});
      posted += missing;
    }
    now = nanoseconds();
    if (start == 0 && now >= warm) {
      cpu = cpu_of(pid);
      before = delivered;
      start = now = nanoseconds();
      end = start + (int64_t)options.milliseconds * 1000000;
    }
    if (start != 0 && now >= end && delivered > before) break;
    struct epoll_event events[EVENTS];
    int ready = epoll_wait(poller, events, EVENTS, 60000);
    if (ready <= 0) die("no event within a minute");
    for (int index = 0; index < ready; index++) {
      Client *client = events[index].data.ptr;
      if (client == &poster)
        receive(client, 1);
      else
        delivered += receive(client, LINES_OF_MESSAGE);
    }
  }
  cpu = cpu_of(pid) - cpu;
  size_t count = delivered - before;
  printf("{\"count\":%zu,\"ns\":%lld,\"cpu\":%lld}\n", count, (long long)(now - start),
         (long long)cpu / (long long)count);
}

int main(int count, char **words) {
  errno = 0;
  if (count < 3) die("fanout SOCKET PID OPTION…");
  for (int index = 3; index < count; index++) {
    const char *word = words[index];
    if (strcmp(word, "--redis") == 0) {
      options.is_redis = 1;
      continue;
    }
    if (index + 1 == count) die("%s needs a value", word);
    const char *value = words[++index];
    if (strcmp(word, "--observers") == 0) options.observers = atoi(value);
    else if (strcmp(word, "--in-flight") == 0) options.in_flight = atoi(value);
    else if (strcmp(word, "--ms") == 0) options.milliseconds = atoi(value);
    else if (strcmp(word, "--observe") == 0) options.observe = contents(value);
    else if (strcmp(word, "--poster") == 0) options.poster = contents(value);
    else if (strcmp(word, "--post") == 0) options.post = contents(value);
    else die("unknown option %s", word);
  }
  raise_descriptor_limit();
  measure(words[1], words[2]);
  return 0;
}
