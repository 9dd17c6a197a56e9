// Measures events: one client posts, and every observer gets each event.
//
//   fanout SOCKET PID --observers N --in-flight K --ms T --observe FILE [--poster FILE] --post FILE
//          [--redis | --dbus]
//
// Each observer first sends the frames of --observe, and the poster those of --poster. Both await a
// reply for each frame. Then the poster sends the frame of --post again and again. An event is in
// flight until as many deliveries have arrived as there are observers. The CPU time is that of all
// threads of the server for one delivery, in nanoseconds.
#include "stream.h"

#include <sys/epoll.h>

enum { EVENTS = 1024 };

static struct {
  int observers, in_flight, milliseconds;
  Protocol protocol;
  Bytes observe, poster, post;
} options = {.observers = 1, .in_flight = 1, .milliseconds = 1000};

// MARK: - Posting

static Bytes repeated(Bytes frame, int times) {
  Bytes all = {room(frame.count * (size_t)times), frame.count * (size_t)times};
  for (int index = 0; index < times; index++)
    memcpy(all.bytes + (size_t)index * frame.count, frame.bytes, frame.count);
  return all;
}

static void watch(int poller, Stream *client) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
  if (epoll_ctl(poller, EPOLL_CTL_ADD, client->descriptor, &event) != 0) die("epoll_ctl");
}

static void measure(const char *socket, const char *pid) {
  int poller = epoll_create1(EPOLL_CLOEXEC);
  Stream *observers = room((size_t)options.observers * sizeof *observers);
  for (int index = 0; index < options.observers; index++) {
    observers[index] = greeted(options.protocol, socket, options.observe);
    watch(poller, &observers[index]);
  }
  Stream poster = greeted(options.protocol, socket, options.poster);
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
      Stream *client = events[index].data.ptr;
      size_t messages = receive(client);
      if (client != &poster) delivered += messages;
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
    if (read_protocol(word, &options.protocol)) continue;
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
